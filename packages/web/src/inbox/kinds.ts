import type { Inbox, InboxKind, InboxRow } from '../api/inbox.ts';
import { span } from '../text/time.ts';
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

export const KINDS = Object.keys(LOOKS) as readonly InboxKind[];

export const isKind = (value: unknown): value is InboxKind => typeof value === 'string' && value in LOOKS;

/** The kinds that there are, and the one that is chosen: a filter that finds nothing is not offered. */
export const offered = (counts: Inbox['counts'], chosen: InboxKind | undefined): readonly InboxKind[] =>
  KINDS.filter((kind) => counts[kind] > 0 || kind === chosen);

/** Whether an entry waits for an answer, and not only for a look. */
export const isQuestion = ({ kind }: Pick<InboxRow, 'kind'>): boolean => kind === 'permission' || kind === 'question';

/** What an entry says in one line. */
export function lineOf({ kind, text, since }: Pick<InboxRow, 'kind' | 'text' | 'since'>, now: number): string {
  if (kind === 'review') return 'Ready to read';
  if (kind === 'stalled') return `No sign of life for ${span(now - Date.parse(since))}.`;
  if (kind === 'failed') return text ?? 'It failed without a reason';
  return text ?? 'Nothing was said';
}
