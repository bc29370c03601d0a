import { FULL_NAMES, type Naming, say } from '#advice';
import type { CallError, WireError } from '#gateway/gateway';
import { worded } from '#gateway/outcome';
import type { ReportOutcome } from '#gateway/report';

const TYPED: Readonly<Record<string, string>> = {
  step_name: 'text',
  step_id: '--id',
  execution_id: '--execution',
  status: '--status',
  message: '--message',
};

const typed = (field: string): string => TYPED[field] ?? field;

/** The names that users of `errand step` type: a text and flags, not the fields of two tools. */
export const STEP_NAMING: Naming = {
  ...FULL_NAMES,
  verb: 'run',
  tool: (name) => (name === 'create_step' ? 'errand step "text"' : name),
  field: typed,
  about: typed,
};

/** The refusal of a report. */
export type Refused = Extract<ReportOutcome, { ok: false }>;

const ADDRESS = say`${{ setting: 'TASK_MANAGER_HOST' }} and ${{ setting: 'TASK_MANAGER_PORT' }} say where it is.`;

/** The error; when no Task Manager answered, it also names the setting of the address. */
export const withAddress = ({ error, status }: Refused): CallError => ({
  code: 'failed',
  ...(status === undefined && error.code === 'connection_failed' && { hint: [ADDRESS] }),
  ...error,
});

/** Joins message and hint into one line. */
export function lineOf({ message, hint }: Pick<WireError, 'message' | 'hint'>): string {
  const line = hint === undefined ? message : `${message}${/[.!?]$/.test(message) ? '' : '.'} ${hint}`;
  return line.replaceAll(/\s+/g, ' ');
}

/** The error as `errand step` shows it. */
export const inWordsOfStep = (error: CallError): WireError => worded(error, STEP_NAMING);
