import type { JsonAnswer } from '@errand/mcp';
import { FULL_NAMES, followed, type Naming } from '#advice';
import type { Outcome } from '#gateway/gateway';
import { worded } from '#gateway/outcome';
import { catalog, type Tool } from '#tools/catalog';
import { answerText, failureBody } from '#tools/envelope';
import { PROFILES, type ProfileName } from '#tools/profiles';

export const isForAgents = (tool: Tool): boolean => tool.mcp && PROFILES[tool.profile].mcp;

/** The name of a tool at the address of one profile, or of all. */
export const nameIn = (profile: ProfileName | 'all', { name, full_name }: Tool): string =>
  profile === 'all' ? full_name : name;

/** Our texts at the address of one profile, or of all profiles together, where tools have their full names. */
export interface Wording {
  /** The instructions for an agent with these tools. */
  readonly instructions: (visible: readonly Tool[]) => string;
  /** The text about one profile, for an agent with these tools. */
  readonly profileText: (of: ProfileName, visible: readonly Tool[]) => string;
  readonly answer: (tool: Tool, outcome: Outcome, visible: () => readonly Tool[]) => JsonAnswer;
}

export function createWording(profile: ProfileName | 'all'): Wording {
  const shortNames = new Map<string, string>(
    catalog.flatMap((tool) => (tool.profile === profile ? [[tool.full_name, tool.name]] : [])),
  );

  /** Leaves out sentences about tools that the agent does not have: they would only cause refused calls. */
  const namingFor = (visible: readonly Tool[]): Naming => ({
    ...FULL_NAMES,
    tool: (name) => shortNames.get(name) ?? name,
    canCall: (name) => visible.some((tool) => tool.full_name === name && isForAgents(tool)),
  });

  const profileText = (of: ProfileName, visible: readonly Tool[]): string =>
    followed(PROFILES[of].instructions, namingFor(visible)).join(' ');

  return {
    profileText,
    instructions: (visible) => {
      if (profile !== 'all') return profileText(profile, visible);
      const there = new Set(visible.filter(isForAgents).map((tool) => tool.profile));
      return [...there].map((of) => `${headingOf(of)}: ${profileText(of, visible)}`).join('\n\n');
    },
    answer: (tool, outcome, visible) => {
      if (outcome.ok) {
        const json = answerText(tool, outcome.json, outcome.messages);
        // An envelope or messages around the answer make another text.
        const quoted = json === outcome.json ? outcome.quoted : undefined;
        return { kind: 'json', json, failed: false, quoted };
      }
      const error = worded(outcome.error, namingFor(visible()));
      return { kind: 'json', json: JSON.stringify(failureBody(tool, error, outcome.status)), failed: true };
    },
  };
}

function headingOf(profile: ProfileName): string {
  const { title, prefix } = PROFILES[profile];
  return prefix === '' ? title : `${title} (${prefix}*)`;
}
