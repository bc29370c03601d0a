import type { AttemptId, RunId } from '#domain/ids';
import { refusal } from '#domain/refusal';
import type { FeedEntry } from '#domain/run';
import type { ReadWork } from '#services/work';
import { attemptOf } from './lookup.ts';

type FeedPosition = Pick<FeedEntry, 'execution_id' | 'seq'>;

interface FeedRequest {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

interface FeedPage {
  readonly entries: readonly FeedEntry[];
  /** Where older entries end; null when there are none. */
  readonly before: string | null;
  /** Where newer entries begin; null while there are none at all. */
  readonly after: string | null;
}

const PLACE = /^([\w-]{1,64}):(\d{1,15})$/;

function placeAt(field: 'before' | 'after', text: string): FeedPosition {
  const [, execution_id, seq] = PLACE.exec(text) ?? [];
  if (execution_id === undefined) throw refusal(field, 'must be a place of an earlier answer');
  // Safe: it only marks a position in the feed of an attempt that was checked before.
  return { execution_id: execution_id as RunId, seq: Number(seq) };
}

const textOf = ({ execution_id, seq }: FeedPosition): string => `${execution_id}:${seq}`;

/** The feed of an attempt over all its runs, in both directions. */
export function createFeedPages() {
  return async (work: ReadWork, id: AttemptId, { before, after, limit }: FeedRequest): Promise<FeedPage> => {
    if (before !== undefined && after !== undefined) throw refusal('after', 'cannot be given together with before');
    const attempt = await attemptOf(work, id);
    const { attempts } = work.tx;
    if (after !== undefined) {
      const entries = await attempts.feed(attempt, placeAt('after', after), limit);
      return { entries, before: after, after: placeOfLast(entries) ?? after };
    }
    // One more tells whether there are older ones.
    const found =
      before === undefined
        ? await attempts.latestFeed(attempt, limit + 1)
        : await attempts.feedBefore(attempt, placeAt('before', before), limit + 1);
    const entries = found.slice(Math.max(0, found.length - limit));
    const [first] = entries;
    return {
      entries,
      before: found.length > limit && first !== undefined ? textOf(first) : null,
      after: placeOfLast(entries) ?? before ?? null,
    };
  };
}

function placeOfLast(entries: readonly FeedEntry[]): string | null {
  const last = entries.at(-1);
  return last === undefined ? null : textOf(last);
}
