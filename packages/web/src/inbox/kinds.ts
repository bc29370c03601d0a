import type { Inbox, InboxKind, InboxRow } from '../api/inbox.ts';
import { clock, span } from '../text/time.ts';
import { plural } from '../text/words.ts';
import type { Tone } from '../ui/badge.tsx';
import type { IconName } from '../ui/icons.ts';

interface Look {
  /** As the entry says it. */
  readonly one: string;
  /** As the filter says it. */
  readonly many: string;
  readonly icon: IconName;
  readonly tone: Tone;
}

/** How each kind looks, in the order of the filters. */
export const LOOKS: Readonly<Record<InboxKind, Look>> = {
  permission: { one: 'Approval', many: 'Approvals', icon: 'hand', tone: 'you' },
  question: { one: 'Question', many: 'Questions', icon: 'question', tone: 'you' },
  review: { one: 'Review', many: 'Reviews', icon: 'eye', tone: 'review' },
  failed: { one: 'Failed', many: 'Failed', icon: 'alert', tone: 'fail' },
  stalled: { one: 'Stalled', many: 'Stalled', icon: 'clock', tone: 'you' },
  job: { one: 'Merge', many: 'Merges', icon: 'branch', tone: 'fail' },
};

// Safe: `LOOKS` has these keys and no others.
export const KINDS = Object.keys(LOOKS) as readonly InboxKind[];

export const isKind = (value: unknown): value is InboxKind => typeof value === 'string' && value in LOOKS;

/** The kinds that there are, and the one that is chosen: a filter that finds nothing is not offered. */
export const offered = (counts: Inbox['counts'], chosen: InboxKind | undefined): readonly InboxKind[] =>
  KINDS.filter((kind) => counts[kind] > 0 || kind === chosen);

/** Whether an entry waits for an answer, and not only for a look. */
export const isQuestion = ({ kind }: Pick<InboxRow, 'kind'>): boolean => kind === 'permission' || kind === 'question';

type Review = NonNullable<InboxRow['review']>;

/** How many of the criteria are ticked; nothing for a task without any. */
export const ticksOf = ({ criteria_done, criteria_total }: Review): string =>
  criteria_total === 0 ? '' : `${criteria_done} of ${criteria_total} criteria ticked`;

/** What there is to read, in words. */
function reviewWords(review: Review): string {
  const { files, added, removed } = review;
  const parts = [
    files === 0 ? 'nothing changed' : `+${added} −${removed} in ${plural(files, 'file')}`,
    ticksOf(review),
  ];
  return `: ${parts.filter((part) => part !== '').join(', ')}`;
}

/** What an entry says in one line. */
export function lineOf(
  row: Pick<InboxRow, 'kind' | 'text' | 'since' | 'review' | 'claimed_until'>,
  now: number,
): string {
  const { kind, text, since, review, claimed_until } = row;
  if (kind === 'review') return review === null ? 'Ready to read' : `Ready to read${reviewWords(review)}`;
  if (kind === 'stalled') {
    const returns = claimed_until === null ? '' : ` The claim returns at ${clock(claimed_until)}.`;
    return `No sign of life for ${span(now - Date.parse(since))}.${returns}`;
  }
  if (kind === 'failed') return text ?? 'It failed without a reason';
  return text ?? 'Nothing was said';
}
