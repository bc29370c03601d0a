import type { Card } from '../api/board.ts';
import type { Attempt } from '../api/task.ts';

export type AskedQuestion = NonNullable<Card['question']>;

/** The open questions of a task, oldest first: those of its newest attempt, and one that is about the task alone. */
export function openQuestions(card: Card | null, talk: Attempt | undefined): readonly AskedQuestion[] {
  const asked = (talk?.approvals ?? [])
    .filter(({ status }) => status === 'pending')
    .map(({ approval_id, kind, question, details, options, created_at }) => ({
      approval_id,
      kind,
      text: question,
      details,
      options,
      since: created_at,
    }));
  const own = card?.question ?? null;
  const all =
    own === null || asked.some(({ approval_id }) => approval_id === own.approval_id) ? asked : [own, ...asked];
  return all.toSorted((one, other) => Date.parse(one.since) - Date.parse(other.since));
}
