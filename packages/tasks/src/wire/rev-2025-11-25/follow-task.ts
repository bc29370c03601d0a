import type { JsonObject } from '#json';
import { type Outcome, openInputs, type TaskRecord, type TaskStatus } from '#task';
import type { ClientTasks } from '#tasks';
import type { RpcNotification } from '#wire/json-rpc';
import { encodeProgress, encodeStatusNotification } from './notifications.ts';
import { encodeQuestion, mayAsk, type Question } from './questions.ts';

/** An open stream to a client. */
export interface Stream {
  /** The capabilities that the client declared at `initialize`. */
  readonly client_capabilities?: JsonObject | undefined;
  /** The last status that the client got. Without it, the status at the first read counts as known. */
  readonly known_status?: TaskStatus | undefined;
  /** Sends a request. Pass its response to `answer`, whenever and in whichever process it arrives. */
  readonly ask?: ((question: Question) => void) | undefined;
  /** Called when a question of this stream was answered, on any stream, or is no longer needed. */
  readonly settle?: ((question_id: string) => void) | undefined;
  readonly notify?: ((notification: RpcNotification) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type EndedTask = TaskRecord & { readonly outcome: Outcome };

/**
 * Sends a task's news to a client until the task has ended: every open question, once, and every change of status and
 * progress. Rejects when the task expires, or with the signal's reason when that comes first.
 */
export async function followTask(
  tasks: ClientTasks,
  owner_id: string,
  task_id: string,
  stream: Stream,
): Promise<EndedTask> {
  const tell = createTelling(stream);
  const until = (task: TaskRecord): boolean => {
    tell(task);
    return hasEnded(task);
  };
  // The cast: `until` stops the wait only when the task has ended.
  return (await tasks.wait(owner_id, task_id, { signal: stream.signal, until })) as EndedTask;
}

export const hasEnded = (task: TaskRecord): task is EndedTask => task.outcome !== null;

function createTelling(stream: Stream): (task: TaskRecord) => void {
  const { client_capabilities = {}, known_status, ask, settle, notify } = stream;
  /** The ids of the open questions that were sent, by key. */
  const asked = new Map<string, string>();
  let last_sent: TaskRecord | undefined;

  function tellQuestions(task: TaskRecord): void {
    const open = hasEnded(task) ? {} : openInputs(task);
    for (const [key, id] of asked) if (!Object.hasOwn(open, key)) settle?.(id);
    for (const [key, request] of Object.entries(open)) {
      const question = asked.has(key) || !mayAsk(client_capabilities, request) ? null : encodeQuestion(task, key);
      if (question === null) continue;
      asked.set(key, question.id);
      ask?.(question);
    }
  }

  return (task) => {
    const isNews =
      last_sent === undefined ? task.status !== (known_status ?? task.status) : isOtherStatus(last_sent, task);
    if (isNews) notify?.(encodeStatusNotification(task));
    const progress = isOtherProgress(last_sent, task) ? encodeProgress(task) : null;
    if (progress !== null) notify?.(progress);
    last_sent = task;
    tellQuestions(task);
  };
}

const isOtherStatus = (before: TaskRecord, now: TaskRecord): boolean =>
  before.status !== now.status || before.status_message !== now.status_message;

const isOtherProgress = (before: TaskRecord | undefined, now: TaskRecord): boolean =>
  before?.progress?.progress !== now.progress?.progress;
