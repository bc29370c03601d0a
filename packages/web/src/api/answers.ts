import type { RespondApprovalBody } from 'errand/client';
import type { InboxKind } from './inbox.ts';

export interface Answer {
  readonly body: RespondApprovalBody;
  /** The key that gives it: the letter of the answer, or the number of the option. */
  readonly key: string;
  readonly name: string;
  readonly does: 'allow' | 'reject';
}

interface Asked {
  readonly kind: InboxKind;
  readonly options: readonly { readonly option: string; readonly name: string; readonly kind: string }[];
}

/**
 * What a question can be answered with, each with its key. The `a` of a permission is the first option that lets the
 * agent go on; the options of other questions are not better or worse than each other, so they have numbers.
 */
export function answersTo({ kind, options }: Asked): readonly Answer[] {
  if (kind !== 'permission' && kind !== 'question') return [];
  if (kind === 'permission' && options.length === 0) {
    return [
      { body: { decision: 'approve' }, key: 'a', name: 'Approve', does: 'allow' },
      { body: { decision: 'deny' }, key: 'd', name: 'Deny', does: 'reject' },
    ];
  }
  const main = (word: string) => options.find((each) => each.kind.startsWith(word));
  const [yes, no] = [main('allow'), main('reject')];
  const chosen = options.map(({ option, name, kind: how }, at): Answer => {
    const letter = option === yes?.option ? 'a' : option === no?.option ? 'd' : null;
    const key = kind === 'permission' && letter !== null ? letter : String(at + 1);
    return { body: { option }, key, name, does: how.startsWith('allow') ? 'allow' : 'reject' };
  });
  // A person may decline to answer: the agent then decides by itself.
  const decline: Answer = { body: { decision: 'deny' }, key: 'd', name: 'You decide', does: 'reject' };
  return chosen.some(({ does }) => does === 'reject') ? chosen : [...chosen, decline];
}

/** The answer that a key gives, or nothing. */
export const answerBy = (asked: Asked, key: string): Answer | undefined =>
  answersTo(asked).find((answer) => answer.key === key);

/** The answers that fit on a card: yes and no of a permission, or the first two options of a question. */
export function cardAnswers(asked: Asked): readonly Answer[] {
  const all = answersTo(asked);
  if (asked.kind === 'permission') return all.filter(({ key }) => key === 'a' || key === 'd');
  return asked.options.length === 0 ? [] : all.filter(({ key }) => key === '1' || key === '2');
}
