import type { Outcome } from '#gateway/gateway';
import type { Tool } from '#tools/catalog';
import { answerText, failureBody } from '#tools/envelope';
import { PROFILES, type ProfileName } from '#tools/profiles';
import type { JsonAnswer } from './host.ts';

export const isForAgents = (tool: Tool): boolean => tool.mcp && PROFILES[tool.profile].mcp;

/** What a tool is called at the address of one profile, or of all. */
export const nameIn = (profile: ProfileName | 'all', { name, full_name }: Tool): string =>
  profile === 'all' ? full_name : name;

/** Our words as one profile says them, or all profiles together, where tools have their full names. */
export interface Wording {
  readonly named: (of: ProfileName, text: string) => string;
  readonly answer: (tool: Tool, outcome: Outcome) => JsonAnswer;
}

type Rename = (text: string) => string;

export function createWording(tools: readonly Tool[], profile: ProfileName | 'all'): Wording {
  const renames = new Map<ProfileName, Rename>();

  function named(of: ProfileName, text: string): string {
    if (profile !== 'all') return text;
    const rename = renames.get(of) ?? fullNames(tools, of);
    renames.set(of, rename);
    return rename(text);
  }

  return {
    named,
    answer: (tool, outcome) => {
      if (outcome.ok) return { kind: 'json', json: answerText(tool, outcome.json), failed: false };
      const { hint, ...error } = outcome.error;
      const shown = hint === undefined ? error : { ...error, hint: named(tool.profile, hint) };
      return { kind: 'json', json: JSON.stringify(failureBody(tool, shown, outcome.status)), failed: true };
    },
  };
}

/** Our own texts with the names that tools of a profile have where all profiles meet. */
function fullNames(tools: readonly Tool[], profile: ProfileName): Rename {
  const names = tools.filter((tool) => isForAgents(tool) && tool.profile === profile).map(({ name }) => name);
  const pattern = new RegExp(`\\b(?:${names.join('|')})\\b`, 'g');
  return (text) => text.replaceAll(pattern, (name) => `${PROFILES[profile].prefix}${name}`);
}
