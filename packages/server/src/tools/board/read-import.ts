import { z } from 'zod';
import { FORMATS } from '#domain/import/read-files';
import { Priority } from '#domain/work-item';
import { defineTool } from '#tools/define';
import { rfc3339OrNull, time } from '#tools/time';
import { importInput } from './import-fields.ts';

const file = z.string().describe('The file.');
const line = z.int().nullable().describe('The line, from 1; null where the file has no lines of tasks.');
const note = z.object({ file, line, text: z.string().describe('What it is.') });

export const readImport = defineTool({
  name: 'read_import',
  title: 'Read what would be imported',
  description: 'Answers the tasks that import_tasks would create from these files, and creates nothing.',
  scope: 'board:read',
  effect: 'read',
  mcp: false,
  project: 'project_id',
  route: 'POST /board/projects/{project_id}/import/read',
  input: z.object(importInput),
  output: z.object({
    formats: z
      .array(z.enum(FORMATS))
      .describe('What the files are: Errand (an export), GitHub issues, task-master, beads, Backlog.md, CSV or list.'),
    tasks: z
      .array(
        z.object({
          ref: z.string().describe('Its name in the files.'),
          title: z.string().describe('Title.'),
          status: z.string().describe('The column that it goes to.'),
          column: z.string().describe('The name of that column.'),
          priority: Priority.describe('Urgency: none, low, medium, high or urgent.'),
          labels: z.array(z.string()).describe('The labels that it gets: those that the project has.'),
          parent_ref: z.string().nullable().describe('The ref of its parent; null for none.'),
          blocked_by: z.array(z.string()).describe('The refs of what must be done before.'),
          target_date: z.string().nullable().describe('When it is due (YYYY-MM-DD); null for no date.'),
          file,
          line,
        }),
      )
      .describe('The tasks, in the order of the files.'),
    faults: z.array(note).describe('Why nothing can be imported; empty when it can.'),
    left_out: z.array(note).describe('What a task has no place for.'),
    key: z.string().describe('Give it as idempotency_key: the same files are then imported once.'),
    imported_at: time
      .nullable()
      .describe(
        'When you imported these files (RFC 3339), if within a day: then nothing is added again. Null for not.',
      ),
  }),
  run: async ({ input, work, services }) => {
    const { tasks, imported_at, ...plan } = await services.board.imports.read(work, input);
    return {
      ...plan,
      imported_at: rfc3339OrNull(imported_at),
      formats: [...plan.formats],
      faults: [...plan.faults],
      left_out: [...plan.left_out],
      tasks: tasks.map(({ state, found_labels, ...task }) => ({
        ref: task.ref,
        title: task.title,
        status: state.slug,
        column: state.name,
        priority: task.priority,
        labels: found_labels.map(({ name }) => name),
        parent_ref: task.parent_ref,
        blocked_by: [...task.blocked_by],
        target_date: task.target_date,
        file: task.file,
        line: task.line,
      })),
    };
  },
});
