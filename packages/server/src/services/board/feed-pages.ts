import { type AttemptRow, RETRY_NAME, type RunPrompt } from '#domain/attempt';
import type { AttemptId, RunId } from '#domain/ids';
import { refusal } from '#domain/refusal';
import type { FeedEntry } from '#domain/run';
import type { Author } from '#services/tasker/adapter';
import { authorOf } from '#services/tasker/local-issues';
import type { ReadWork } from '#services/work';
import { attemptOf } from './lookup.ts';
import { feedText } from './messages.ts';
import { addedWords } from './prompt.ts';

type FeedPosition = Pick<FeedEntry, 'execution_id' | 'seq'>;

interface FeedRequest {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

interface GivenPrompt extends Pick<RunPrompt, 'execution_id' | 'prompt' | 'started_at'> {
  /** Who asked for the run; null for Errand itself. */
  readonly by: Author | null;
  /** What that person added to the prompt of Errand; null where there is nothing of that. */
  readonly words: string | null;
}

interface Sender extends FeedPosition {
  readonly by: Author | null;
}

interface FeedPage {
  readonly entries: readonly FeedEntry[];
  /** Of the runs that begin on this page. */
  readonly prompts: readonly GivenPrompt[];
  /** Who sent the messages among the entries. */
  readonly senders: readonly Sender[];
  /** The cursor of the older entries; null when there are none. */
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

async function promptsOf(
  { tx }: ReadWork,
  attempt: AttemptRow,
  runs: readonly RunId[],
): Promise<readonly GivenPrompt[]> {
  const { workspace_id } = attempt;
  const given = await tx.attempts.prompts(attempt, runs);
  return Promise.all(
    given.map(async ({ execution_id, prompt, name, started_at, user_id, agent_id }) => ({
      execution_id,
      prompt,
      started_at,
      by: name === RETRY_NAME ? null : await authorOf(tx, { workspace_id, user_id, agent_id }),
      words: addedWords(prompt),
    })),
  );
}

/** The senders of the entries that are messages of people and agents. A message and its entry are made at once. */
async function sendersOf(
  { tx }: ReadWork,
  attempt: AttemptRow,
  entries: readonly FeedEntry[],
): Promise<readonly Sender[]> {
  const { workspace_id } = attempt;
  const times = entries.filter(({ kind }) => kind === 'status').map(({ at }) => at);
  const sent = times.length === 0 ? [] : await tx.agentMessages.madeAt(attempt, times);
  const messages = sent.filter(({ source }) => source === 'person');
  const senders = entries.map(async ({ execution_id, seq, at, kind, text }): Promise<readonly Sender[]> => {
    const message = messages.find((each) => kind === 'status' && each.created_at === at && feedText(each) === text);
    if (message === undefined) return [];
    const { user_id, agent_id } = message;
    return [{ execution_id, seq, by: await authorOf(tx, { workspace_id, user_id, agent_id }) }];
  });
  return (await Promise.all(senders)).flat();
}

/** The runs whose first entry is among these. */
const begun = (entries: readonly FeedEntry[]): readonly RunId[] =>
  entries.filter(({ seq }) => seq === 1).map(({ execution_id }) => execution_id);

/** The feed of an attempt over all its runs, in both directions. */
export function createFeedPages() {
  return async (work: ReadWork, id: AttemptId, { before, after, limit }: FeedRequest): Promise<FeedPage> => {
    if (before !== undefined && after !== undefined) throw refusal('after', 'cannot be given together with before');
    const attempt = await attemptOf(work, id);
    const { attempts } = work.tx;
    if (after !== undefined) {
      const entries = await attempts.feed(attempt, placeAt('after', after), limit);
      const prompts = await promptsOf(work, attempt, begun(entries));
      const senders = await sendersOf(work, attempt, entries);
      return { entries, prompts, senders, before: after, after: placeOfLast(entries) ?? after };
    }
    // One more tells whether there are older ones.
    const found =
      before === undefined
        ? await attempts.latestFeed(attempt, limit + 1)
        : await attempts.feedBefore(attempt, placeAt('before', before), limit + 1);
    const entries = found.slice(Math.max(0, found.length - limit));
    const [first] = entries;
    // The latest run has been given its prompt before it writes anything.
    const latest = before === undefined ? (await attempts.runs(attempt, 1)).map(({ id }) => id) : [];
    const silent = latest.filter((run) => entries.every(({ execution_id }) => execution_id !== run));
    return {
      entries,
      prompts: await promptsOf(work, attempt, [...begun(entries), ...silent]),
      senders: await sendersOf(work, attempt, entries),
      before: found.length > limit && first !== undefined ? textOf(first) : null,
      after: placeOfLast(entries) ?? before ?? null,
    };
  };
}

function placeOfLast(entries: readonly FeedEntry[]): string | null {
  const last = entries.at(-1);
  return last === undefined ? null : textOf(last);
}
