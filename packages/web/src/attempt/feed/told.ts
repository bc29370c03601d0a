import type { FeedEntry } from 'errand/client';

/** Words of a person or another agent to the agent, as the feed writes them down. */
const TOLD = /^(?<who>A person|An agent|Errand) to the agent: (?<text>[\s\S]*)$/;

export interface Told {
  readonly who: string;
  readonly text: string;
}

/** Who told the agent what; null for an entry that tells something else. */
export function toldIn({ kind, text }: Pick<FeedEntry, 'kind' | 'text'>): Told | null {
  const parts = kind === 'status' ? TOLD.exec(text)?.groups : undefined;
  return parts?.who === undefined || parts.text === undefined ? null : { who: parts.who, text: parts.text };
}

const EDIT = /^(?<path>\S+) \+(?<added>\d+) [−-](?<removed>\d+)$/;

export interface Edited {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

/** The file of an edit that says how many lines it changed: src/retry.ts +11 −3; null for any other text. */
export function editIn(text: string): Edited | null {
  const parts = EDIT.exec(text)?.groups;
  if (parts?.path === undefined) return null;
  return { path: parts.path, added: Number(parts.added), removed: Number(parts.removed) };
}
