import type { FeedEntry } from 'errand/client';
import { entryKey, type RunPrompt, type Senders } from '../../api/attempt-feed.ts';
import type { Answered } from '../feed/answers.ts';
import { messageIn } from '../feed/entry-text.ts';

/** Something that was said to or by the agent; `by` is null where it is not known who said it. */
export interface Said {
  readonly key: string;
  readonly at: number;
  readonly text: string;
  readonly by: RunPrompt['by'];
}

export interface Talk {
  readonly agent: { readonly id: string; readonly name: string };
  readonly senders: Senders;
  readonly answers: ReadonlyMap<string, Answered>;
}

/** What people and agents said to each other: what was asked and answered, and what was sent to the agent. */
export function saidIn(entry: FeedEntry, { agent, senders, answers }: Talk): readonly Said[] {
  const key = entryKey(entry);
  const at = Date.parse(entry.at);
  const message = messageIn(entry);
  if (message !== null) return [{ key, at, text: message.text, by: senders.get(key) ?? null }];
  if (entry.kind !== 'question') return [];
  const question: Said = { key, at, text: entry.text, by: { kind: 'agent', ...agent } };
  const answer = answers.get(key);
  return answer === undefined
    ? [question]
    : [question, { key: `${key} answer`, at: at + answer.waitedMs, text: answer.text, by: answer.by }];
}
