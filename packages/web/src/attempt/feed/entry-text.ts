import type { FeedEntry } from 'errand/client';

/** Words of a person or another agent to the agent, as the feed writes them down. */
const MESSAGE = /^(?<who>A person|An agent|Errand) to the agent: (?<text>[\s\S]*)$/;

export interface SentMessage {
  readonly who: string;
  readonly text: string;
}

/** The sender and the words of a message to the agent; null for any other entry. */
export function messageIn({ kind, text }: Pick<FeedEntry, 'kind' | 'text'>): SentMessage | null {
  const parts = kind === 'status' ? MESSAGE.exec(text)?.groups : undefined;
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
