import { z } from 'zod';
import { DetailLayout } from '#domain/blocks';
import { Priority } from '#domain/work-item';
import { dayOf, type ImportFile, importedTask, type Parsed, readParts } from './imported-task.ts';
import { faultOf } from './json.ts';

const Export = z.object({ errand_export: z.literal(1), tasks: z.array(z.unknown()) });

const Task = z.object({
  key: z.string().min(1),
  title: z.string().min(1),
  description: z.string().default(''),
  status: z.string().nullable().default(null),
  priority: Priority.default('none'),
  labels: z.array(z.string()).default([]),
  parent: z.string().nullable().default(null),
  blocked_by: z.array(z.string()).default([]),
  target_date: z.string().nullable().default(null),
  detail_layout: DetailLayout.nullable().default(null),
});

export const looksLikeExport = (value: unknown): boolean => Export.safeParse(value).success;

/** The tasks that `errand export` writes. */
export function readExport({ path }: ImportFile, value: unknown): Parsed {
  const where = { file: path, line: null };
  const list = Export.safeParse(value);
  return readParts(list.success ? list.data.tasks : [], (each, at, { faults }) => {
    const parsed = Task.safeParse(each);
    if (!parsed.success) {
      faults.push(faultOf(parsed.error, where, `Task ${at + 1}`));
      return [];
    }
    const { key, parent, detail_layout: layout, target_date, ...task } = parsed.data;
    return [importedTask({ ...where, ...task, ref: key, parent_ref: parent, layout, target_date: dayOf(target_date) })];
  });
}
