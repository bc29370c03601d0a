import type { TaskStore } from '#store';
import { isTerminal, type TaskRecord } from '#task';

type Listener = (task: TaskRecord | null) => void;

/** Those who watch one task as one owner, and what they were told last. */
interface Group {
  readonly owner_id: string;
  readonly task_id: string;
  readonly listeners: Set<Listener>;
  told: TaskRecord | undefined;
  looking: boolean;
  again: boolean;
}

interface Needs {
  readonly store: TaskStore;
  readonly poll_interval_ms: number;
  readonly report: (error: unknown, task_id: string | null) => void;
}

/** Looks at tasks for those who wait for them: when a signal comes, and every so often because signals get lost. */
export function createWatching({ store, poll_interval_ms, report }: Needs) {
  const groups = new Map<string, Group[]>();
  let timer: NodeJS.Timeout | undefined;

  function watch(owner_id: string, task_id: string, listener: Listener): () => void {
    const group = groupOf(owner_id, task_id);
    group.listeners.add(listener);
    const { told } = group;
    if (told !== undefined) queueMicrotask(() => group.listeners.has(listener) && listener(told));
    look(group);
    timer ??= setInterval(lookAtAll, poll_interval_ms).unref();
    return () => leave(group, listener);
  }

  function groupOf(owner_id: string, task_id: string): Group {
    const known = groups.get(task_id) ?? [];
    const found = known.find((group) => group.owner_id === owner_id);
    if (found !== undefined) return found;
    const made = { owner_id, task_id, listeners: new Set<Listener>(), told: undefined, looking: false, again: false };
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

  // One look at a time: of two that run at once the older answer could come last and be told as news.
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
    if (task !== null && task.updated_at === group.told?.updated_at) return;
    group.told = task ?? undefined;
    const listeners = [...group.listeners];
    if (task === null || isTerminal(task.status)) for (const listener of listeners) leave(group, listener);
    for (const listener of listeners) listener(task);
  }

  function lookAtAll(): void {
    for (const known of groups.values()) known.forEach(look);
  }

  return {
    watch,
    signal: (task_id: string | null): void => {
      if (task_id === null) lookAtAll();
      else groups.get(task_id)?.forEach(look);
    },
    close: (): void => clearInterval(timer),
  };
}
