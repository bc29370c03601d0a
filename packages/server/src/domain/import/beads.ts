import { z } from 'zod';
import {
  dayOf,
  described,
  type ImportFile,
  importedTask,
  type Parsed,
  priorityOf,
  readParts,
} from './imported-task.ts';
import { faultOf, readJson } from './json.ts';

const text = z.string().nullish();

const Issue = z.object({
  id: z.string().min(1),
  title: z.string().min(1),
  description: text,
  design: text,
  acceptance_criteria: text,
  notes: text,
  status: text,
  priority: z.number().nullish(),
  labels: z.array(z.string()).nullish(),
  due_at: text,
  dependencies: z.array(z.object({ depends_on_id: z.string(), type: z.string().default('blocks') })).nullish(),
});
type Issue = z.infer<typeof Issue>;

/** What keeps a task from being begun. Others only say that two issues have to do with each other. */
const BLOCKS = 'blocks';
const PARENT = 'parent-child';
const GONE = 'tombstone';

const others = (issue: Issue, type: string): readonly string[] =>
  (issue.dependencies ?? []).filter((each) => each.type === type).map(({ depends_on_id }) => depends_on_id);

/** Whether the first line of a text is an issue of beads. */
export function looksLikeBeads(text: string): boolean {
  const read = readJson({ file: '', line: 1, text: text.trimStart().split('\n', 1)[0] ?? '' });
  return 'value' in read && Issue.safeParse(read.value).success;
}

/** The issues of beads: a line of JSON each, as `.beads/issues.jsonl` has them. */
export function readBeads({ path, text: all }: ImportFile): Parsed {
  return readParts(all.split('\n'), (each, index, { faults, left_out }) => {
    if (each.trim() === '') return [];
    const where = { file: path, line: index + 1 };
    const read = readJson({ file: path, line: index + 1, text: each });
    if ('fault' in read) {
      faults.push(read.fault);
      return [];
    }
    const parsed = Issue.safeParse(read.value);
    if (!parsed.success) {
      faults.push(faultOf(parsed.error, where, 'Not an issue of beads'));
      return [];
    }
    const issue = parsed.data;
    if (issue.status === GONE) {
      left_out.push({ ...where, text: `${issue.id} was deleted.` });
      return [];
    }
    return [
      importedTask({
        ...where,
        ref: issue.id,
        title: issue.title,
        description: described([
          [null, issue.description],
          ['Design', issue.design],
          ['Acceptance criteria', issue.acceptance_criteria],
          ['Notes', issue.notes],
        ]),
        status: issue.status ?? null,
        priority: issue.priority == null ? 'none' : priorityOf(`p${issue.priority}`),
        labels: issue.labels ?? [],
        parent_ref: others(issue, PARENT)[0] ?? null,
        blocked_by: others(issue, BLOCKS),
        target_date: dayOf(issue.due_at),
      }),
    ];
  });
}
