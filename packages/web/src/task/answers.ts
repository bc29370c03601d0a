import type { RespondApprovalBody } from 'errand/client';
import type { Card } from '../api/board.ts';
import type { Attempt } from '../api/task.ts';

export type AskedQuestion = NonNullable<Card['question']>;

export interface AnswerButton {
  readonly name: string;
  /** The first yes is A, the first no D, the others have their number. */
  readonly keys: string;
  readonly body: RespondApprovalBody;
  readonly isMain: boolean;
}

/** What a question can be answered with by a click or a key. */
export function answersOf({ kind, options }: Pick<AskedQuestion, 'kind' | 'options'>): readonly AnswerButton[] {
  if (options.length === 0) {
    if (kind === 'question') return [];
    return [
      { name: 'Approve', keys: 'a', body: { decision: 'approve' }, isMain: true },
      { name: 'Deny', keys: 'd', body: { decision: 'deny' }, isMain: false },
    ];
  }
  const yes = options.findIndex((option) => option.kind.startsWith('allow'));
  const no = options.findIndex((option) => option.kind.startsWith('reject'));
  return options.map(({ option, name }, at) => ({
    name,
    keys: at === yes ? 'a' : at === no ? 'd' : String(at + 1),
    body: { option },
    isMain: at === yes,
  }));
}

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
