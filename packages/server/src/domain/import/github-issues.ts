import { z } from 'zod';
import { type ImportFile, importedTask, type Parsed, readParts } from './imported-task.ts';
import { faultOf } from './json.ts';

/** An issue as the API answers it, or as `gh issue list --json` writes it. */
const Issue = z.object({
  number: z.int(),
  title: z.string().min(1),
  body: z.string().nullish(),
  state: z.string().default('open'),
  state_reason: z.string().nullish(),
  stateReason: z.string().nullish(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)])).default([]),
  pull_request: z.unknown().optional(),
});

const NOT_PLANNED = /^(?:not_planned|duplicate)$/i;

export const looksLikeIssues = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && z.looseObject({ number: z.int(), title: z.string() }).safeParse(value[0]).success;

/** The issues of GitHub; pull requests, which the API lists among them, are left out. */
export function readIssues({ path }: ImportFile, values: readonly unknown[]): Parsed {
  return readParts(values, (value, at, { faults, left_out }) => {
    const where = { file: path, line: null };
    const parsed = Issue.safeParse(value);
    if (!parsed.success) {
      faults.push(faultOf(parsed.error, where, `Issue ${at + 1} of the file`));
      return [];
    }
    const { number, title, body, state, state_reason, stateReason, labels, pull_request } = parsed.data;
    if (pull_request != null) {
      left_out.push({ ...where, text: `#${number} is a pull request.` });
      return [];
    }
    const reason = state_reason ?? stateReason ?? '';
    const isOpen = state.toLowerCase() === 'open';
    const status = isOpen ? 'todo' : NOT_PLANNED.test(reason) ? 'cancelled' : 'done';
    const description = (body ?? '').replaceAll('\r', '');
    return [importedTask({ ...where, ref: `#${number}`, title, description, status, labels })];
  });
}
