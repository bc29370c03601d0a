import { z } from 'zod';
import { described, type ImportFile, importedTask, type Parsed, priorityOf, readParts } from './imported-task.ts';
import { faultOf } from './json.ts';

const id = z.union([z.int(), z.string().min(1)]).transform(String);
const text = z.string().nullish();
const common = {
  id,
  title: z.string().min(1),
  description: text,
  details: text,
  testStrategy: text,
  status: text,
  priority: text,
  dependencies: z.array(id).nullish(),
};
const Subtask = z.object(common);
const Task = z.object({ ...common, subtasks: z.array(Subtask).nullish() });
const List = z.object({ tasks: z.array(z.unknown()) });

/** The lists of a file: the only one, or one for each tag. */
function listsOf(value: unknown): readonly (readonly [tag: string | null, tasks: readonly unknown[]])[] {
  const one = List.safeParse(value);
  if (one.success) return [[null, one.data.tasks]];
  const tags = z.record(z.string(), List).safeParse(value);
  if (!tags.success) return [];
  const found = Object.entries(tags.data).map(([tag, { tasks }]) => [tag, tasks] as const);
  return found.length === 1 ? found.map(([, tasks]) => [null, tasks] as const) : found;
}

export const looksLikeTaskMaster = (value: unknown): boolean => listsOf(value).length > 0;

const wordsOf = ({ description, details, testStrategy }: z.infer<typeof Subtask>): string =>
  described([
    [null, description],
    ['Details', details],
    ['How to test', testStrategy],
  ]);

/** `tasks.json` of task-master, also with tags. The refs of sub-tasks are 5.2; of a file with tags, tag:5.2. */
export function readTaskMaster({ path }: ImportFile, value: unknown): Parsed {
  const where = { file: path, line: null };
  const parts = listsOf(value).flatMap(([tag, list]) => list.map((each, at) => ({ tag, each, place: at + 1 })));
  return readParts(parts, ({ tag, each, place }, _, { faults }) => {
    const refOf = (name: string): string => (tag === null ? name : `${tag}:${name}`);
    const parsed = Task.safeParse(each);
    if (!parsed.success) {
      faults.push(faultOf(parsed.error, where, `Task ${place}${tag === null ? '' : ` of ${tag}`}`));
      return [];
    }
    const { subtasks, ...task } = parsed.data;
    const shared = { ...where, labels: tag === null ? [] : [tag] };
    const own = importedTask({
      ...shared,
      ref: refOf(task.id),
      title: task.title,
      description: wordsOf(task),
      status: task.status ?? null,
      priority: priorityOf(task.priority),
      blocked_by: (task.dependencies ?? []).map(refOf),
    });
    // Sub-tasks name their neighbours by the last part alone.
    const near = (name: string): string => refOf(name.includes('.') ? name : `${task.id}.${name}`);
    const below = (subtasks ?? []).map((sub) =>
      importedTask({
        ...shared,
        ref: near(sub.id),
        title: sub.title,
        description: wordsOf(sub),
        status: sub.status ?? null,
        priority: priorityOf(sub.priority),
        parent_ref: refOf(task.id),
        blocked_by: (sub.dependencies ?? []).map(near),
      }),
    );
    return [own, ...below];
  });
}
