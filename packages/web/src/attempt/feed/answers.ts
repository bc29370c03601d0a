import type { FeedEntry } from 'errand/client';
import { entryKey } from '../../api/attempt-feed.ts';
import type { StoryRow } from '../../api/task.ts';

/** The answer to a question, with who gave it. */
export interface Answered {
  readonly by: StoryRow['by'];
  readonly text: string;
  /** How long the agent waited for it. */
  readonly waitedMs: number;
}

/** How far the time of a question in the feed and that of the question itself may lie apart: both are written at once. */
const NEAR_MS = 5_000;

/** The answers to the questions of a feed, by entry: the story of the task has them, by their words and their time. */
export function answersOf(entries: readonly FeedEntry[], story: readonly StoryRow[]): ReadonlyMap<string, Answered> {
  const answers = new Map<string, Answered>();
  for (const entry of entries) {
    if (entry.kind !== 'question') continue;
    const at = Date.parse(entry.at);
    const asked = story.find(
      ({ question, at: askedAt }) =>
        question !== undefined &&
        Math.abs(Date.parse(askedAt) - at) < NEAR_MS &&
        entry.text.startsWith(question.text.replace(/…$/, '')),
    )?.question;
    if (asked?.answered_at == null || asked.answer === null) continue;
    const waitedMs = Math.max(0, Date.parse(asked.answered_at) - at);
    answers.set(entryKey(entry), { by: asked.answered_by, text: asked.answer, waitedMs });
  }
  return answers;
}
