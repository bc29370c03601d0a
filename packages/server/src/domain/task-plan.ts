/** Tasks that one call creates: a plan of a larger piece of work. */
export const MAX_NEW_TASKS = 100;

/** Tasks that one task may wait for. */
export const MAX_BLOCKERS = 50;

interface Planned {
  readonly ref: string;
  readonly parent_ref?: string | undefined;
  readonly blocked_by?: readonly string[] | undefined;
}

/** A name that the tasks of a plan use wrongly. */
export interface PlanFault {
  readonly field: string;
  readonly problem: string;
}

type Names = (task: Planned) => readonly string[];

/** The first circle of these names among tasks of the plan, from a ref back to itself; null for none. */
function circleOf(tasks: ReadonlyMap<string, Planned>, namesOf: Names): readonly string[] | null {
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (ref: string): readonly string[] | null => {
    const at = way.indexOf(ref);
    if (at >= 0) return [...way.slice(at), ref];
    const task = tasks.get(ref);
    if (task === undefined || done.has(ref)) return null;
    way.push(ref);
    for (const name of namesOf(task)) {
      const circle = visit(name);
      if (circle !== null) return circle;
    }
    way.pop();
    done.add(ref);
    return null;
  };
  for (const ref of tasks.keys()) {
    const circle = visit(ref);
    if (circle !== null) return circle;
  }
  return null;
}

const parentOf: Names = ({ parent_ref }) => (parent_ref === undefined ? [] : [parent_ref]);
const blockersOf: Names = ({ blocked_by = [] }) => blocked_by;

/** What is wrong with the refs of a plan; null for nothing. Names of tasks outside of the plan are not judged. */
export function planFault(plan: readonly Planned[]): PlanFault | null {
  const tasks = new Map<string, Planned>();
  for (const [at, task] of plan.entries()) {
    if (tasks.has(task.ref)) return { field: `tasks.${at}.ref`, problem: `${task.ref} names two tasks` };
    tasks.set(task.ref, task);
  }
  const parents = circleOf(tasks, parentOf);
  if (parents !== null) return { field: 'tasks', problem: `parent_ref closes a circle: ${parents.join(' is below ')}` };
  const blockers = circleOf(tasks, blockersOf);
  if (blockers === null) return null;
  return { field: 'tasks', problem: `blocked_by closes a circle: ${blockers.join(' waits for ')}` };
}

/** The tasks of a plan without a circle, each after its parent. */
export function parentsFirst<Task extends Planned>(plan: readonly Task[]): readonly Task[] {
  const tasks = new Map(plan.map((task) => [task.ref, task]));
  const ordered = new Set<Task>();
  const add = (task: Task): void => {
    const parent = task.parent_ref === undefined ? undefined : tasks.get(task.parent_ref);
    if (parent !== undefined && !ordered.has(parent)) add(parent);
    ordered.add(task);
  };
  for (const task of plan) add(task);
  return [...ordered];
}
