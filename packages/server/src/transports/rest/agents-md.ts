import type { Tool } from '#tools/catalog';
import { PROFILES, type ProfileName } from '#tools/profiles';
import { taskerRules } from '#tools/tasker-rules';
import type { Wording } from '#transports/mcp/catalog-wording';

const BEGIN = '<!-- errand -->';
const END = '<!-- /errand -->';

const bullets = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

function taskerText(tools: readonly Tool[]): readonly string[] {
  const { minimum, reporting, retries } = taskerRules(tools);
  return [bullets(minimum), '#### Reporting', bullets(reporting), '#### When a call fails', bullets(retries)];
}

/** The text for AGENTS.md, for an agent with these tools. A later text replaces the part between the markers. */
export function agentsMd(tools: readonly Tool[], { profileText }: Wording): string {
  const profiles: readonly ProfileName[] = [...new Set(tools.map(({ profile }) => profile))];
  const sections = profiles.flatMap((profile) => {
    const { title } = PROFILES[profile];
    return [`### ${title}`, ...(profile === 'tasker' ? taskerText(tools) : [profileText(profile, tools)])];
  });
  const intro = 'Work is kept in Errand: call the tools of the MCP server `errand`.';
  return `${BEGIN}\n${['## Errand', intro, ...sections].join('\n\n')}\n${END}\n`;
}
