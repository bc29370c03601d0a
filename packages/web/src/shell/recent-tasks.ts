/** A task that was opened lately. */
export interface RecentTask {
  readonly key: string;
  readonly title: string;
}

const PLACE = 'recent-tasks';
const MAX_KEPT = 5;

const isTask = (value: unknown): value is RecentTask =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'key') === 'string' &&
  typeof Reflect.get(value, 'title') === 'string';

/** The five tasks that were opened last in this browser, the latest first; none where it keeps nothing. */
export function recentTasks(): readonly RecentTask[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PLACE) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isTask).slice(0, MAX_KEPT) : [];
  } catch {
    // Nothing is kept: the browser refuses it, or something else wrote there.
    return [];
  }
}

/** Remembers a task that a person has opened. */
export function rememberTask({ key, title }: RecentTask): void {
  const others = recentTasks().filter((task) => task.key !== key);
  try {
    localStorage.setItem(PLACE, JSON.stringify([{ key, title }, ...others].slice(0, MAX_KEPT)));
  } catch {
    // A browser that keeps nothing has no latest tasks.
  }
}
