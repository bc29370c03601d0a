import { TaskError, taskNotFound } from '#errors';
import type { TaskStore } from '#store';
import { isTerminal, type TaskRecord } from '#task';
import type { WaitOptions } from '#tasks';
import { MAX_TIMER_MS } from './check-options.ts';

type Listener = (task: TaskRecord | null) => void;

/** The listeners of one task and owner, with the record that they got last. */
interface Group {
  readonly owner_id: string;
  readonly task_id: string;
  readonly listeners: Set<Listener>;
  last_sent: TaskRecord | undefined;
  looking: boolean;
  again: boolean;
}

interface Needs {
  readonly store: TaskStore;
  readonly poll_interval_ms: number;
  readonly report: (error: unknown, task_id: string | null) => void;
}

const hasEnded = ({ status }: TaskRecord): boolean => isTerminal(status);

/** Reads watched tasks at every signal, and also at an interval, because signals can be lost. */
export function createWatching({ store, poll_interval_ms, report }: Needs) {
  const groups = new Map<string, Group[]>();
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  function watch(owner_id: string, task_id: string, listener: Listener): () => void {
    const group = groupOf(owner_id, task_id);
    let isLeft = false;
    // Wrap each listener: a watcher may pass one function twice, and may stop while other listeners are being called.
    const own: Listener = (task) => {
      if (!isLeft) listener(task);
    };
    group.listeners.add(own);
    const { last_sent } = group;
    if (last_sent !== undefined) queueMicrotask(() => group.listeners.has(own) && call(own, last_sent, task_id));
    look(group);
    timer ??= setInterval(lookAtAll, poll_interval_ms).unref();
    return () => {
      isLeft = true;
      leave(group, own);
    };
  }

  function groupOf(owner_id: string, task_id: string): Group {
    const known = groups.get(task_id) ?? [];
    const found = known.find((group) => group.owner_id === owner_id);
    if (found !== undefined) return found;
    const made = {
      owner_id,
      task_id,
      listeners: new Set<Listener>(),
      last_sent: undefined,
      looking: false,
      again: false,
    };
    groups.set(task_id, [...known, made]);
    return made;
  }

  function leave(group: Group, listener: Listener): void {
    group.listeners.delete(listener);
    if (group.listeners.size > 0) return;
    const others = (groups.get(group.task_id) ?? []).filter((other) => other !== group);
    if (others.length > 0) groups.set(group.task_id, others);
    else groups.delete(group.task_id);
    if (groups.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  // One read at a time: of two parallel reads the older answer could arrive last and pass for a change.
  function look(group: Group): void {
    if (group.looking) {
      group.again = true;
      return;
    }
    group.looking = true;
    group.again = false;
    store
      .get(group.owner_id, group.task_id)
      .then((task) => tell(group, task))
      .catch((error: unknown) => report(error, group.task_id))
      .finally(() => {
        group.looking = false;
        if (group.again && group.listeners.size > 0) look(group);
      });
  }

  function tell(group: Group, task: TaskRecord | null): void {
    if (task !== null && task.updated_at === group.last_sent?.updated_at) return;
    group.last_sent = task ?? undefined;
    const listeners = [...group.listeners];
    if (task === null || isTerminal(task.status)) for (const listener of listeners) leave(group, listener);
    for (const listener of listeners) call(listener, task, group.task_id);
  }

  // A listener that throws must not keep the others from being called.
  function call(listener: Listener, task: TaskRecord | null, task_id: string): void {
    try {
      listener(task);
    } catch (error) {
      report(error, task_id);
    }
  }

  async function wait(
    owner_id: string,
    task_id: string,
    { signal, until = hasEnded }: WaitOptions,
  ): Promise<TaskRecord> {
    const { promise, resolve, reject } = Promise.withResolvers<TaskRecord>();
    const leave = AbortSignal.any(signal === undefined ? [closing.signal] : [signal, closing.signal]);
    leave.throwIfAborted();
    const giveUp = () => reject(leave.reason);
    leave.addEventListener('abort', giveUp, { once: true });
    const stop = watch(owner_id, task_id, (task) => {
      try {
        if (task === null) throw taskNotFound();
        if (until(task) || hasEnded(task)) resolve(task);
      } catch (error) {
        reject(error);
      }
    });
    // Keep the process alive: otherwise Node could exit before the promise settles.
    const alive = setInterval(() => undefined, MAX_TIMER_MS);
    try {
      return await promise;
    } finally {
      clearInterval(alive);
      stop();
      leave.removeEventListener('abort', giveUp);
    }
  }

  function lookAtAll(): void {
    for (const known of groups.values()) known.forEach(look);
  }

  return {
    watch,
    wait,
    signal: (task_id: string | null): void => {
      if (task_id === null) lookAtAll();
      else groups.get(task_id)?.forEach(look);
    },
    /** Rejects all waiting callers: they have to ask again. */
    close: (): void => {
      clearInterval(timer);
      closing.abort(new TaskError('store_unavailable', 'The server stops. Ask again in a moment.'));
    },
  };
}
