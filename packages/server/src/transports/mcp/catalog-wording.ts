import type { JsonAnswer } from '@errand/mcp';
import type { Outcome } from '#gateway/gateway';
import type { Tool } from '#tools/catalog';
import { answerText, failureBody } from '#tools/envelope';
import { createMentions, sentencesOf } from '#tools/mentions';
import { PROFILES, type ProfileName } from '#tools/profiles';

export const isForAgents = (tool: Tool): boolean => tool.mcp && PROFILES[tool.profile].mcp;

/** What a tool is called at the address of one profile, or of all. */
export const nameIn = (profile: ProfileName | 'all', { name, full_name }: Tool): string =>
  profile === 'all' ? full_name : name;

/** Our words as one profile says them, or all profiles together, where tools have their full names. */
export interface Wording {
  readonly named: (of: ProfileName, text: string) => string;
  /** What someone who has these tools is told when they connect. */
  readonly instructions: (visible: readonly Tool[]) => string;
  /** What someone who has these tools should know of one profile. */
  readonly profileText: (of: ProfileName, visible: readonly Tool[]) => string;
  readonly answer: (tool: Tool, outcome: Outcome, visible: () => readonly Tool[]) => JsonAnswer;
}

type Rename = (text: string) => string;

export function createWording(tools: readonly Tool[], profile: ProfileName | 'all'): Wording {
  const renames = new Map<ProfileName, Rename>();
  const mentions = createMentions(tools.filter(isForAgents));

  function named(of: ProfileName, text: string): string {
    if (profile !== 'all') return text;
    const rename = renames.get(of) ?? fullNames(tools, of);
    renames.set(of, rename);
    return rename(text);
  }

  const profileText = (of: ProfileName, visible: readonly Tool[]): string =>
    named(of, mentions.within(of, PROFILES[of].instructions, visible).join(' '));

  /** Advice without the sentences that mention a tool which the caller lacks; null when nothing is left. */
  function advice(of: ProfileName, hint: string, visible: readonly Tool[]): string | null {
    const kept = mentions.within(of, sentencesOf(hint), visible);
    return kept.length === 0 ? null : named(of, kept.join(' '));
  }

  return {
    named,
    profileText,
    instructions: (visible) => {
      if (profile !== 'all') return profileText(profile, visible);
      const there = new Set(visible.filter(isForAgents).map((tool) => tool.profile));
      return [...there].map((of) => `${headingOf(of)}: ${profileText(of, visible)}`).join('\n\n');
    },
    answer: (tool, outcome, visible) => {
      if (outcome.ok) return { kind: 'json', json: answerText(tool, outcome.json), failed: false };
      const { hint, ...error } = outcome.error;
      const said = hint === undefined ? null : advice(tool.profile, hint, visible());
      const shown = said === null ? error : { ...error, hint: said };
      return { kind: 'json', json: JSON.stringify(failureBody(tool, shown, outcome.status)), failed: true };
    },
  };
}

function headingOf(profile: ProfileName): string {
  const { title, prefix } = PROFILES[profile];
  return prefix === '' ? title : `${title} (${prefix}*)`;
}

/** Our own texts with the names that tools of a profile have where all profiles meet. */
function fullNames(tools: readonly Tool[], profile: ProfileName): Rename {
  const names = tools.filter((tool) => isForAgents(tool) && tool.profile === profile).map(({ name }) => name);
  const pattern = new RegExp(`\\b(?:${names.join('|')})\\b`, 'g');
  return (text) => text.replaceAll(pattern, (name) => `${PROFILES[profile].prefix}${name}`);
}
