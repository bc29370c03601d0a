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

/** People who use `errand step` type a text and flags, not the fields of two tools. */
export const STEP_NAMING: Naming = {
  ...FULL_NAMES,
  verb: 'run',
  tool: (name) => (name === 'create_step' ? 'errand step "text"' : name),
  field: typed,
  about: typed,
};

/** What a report is refused with. */
export type Refused = Extract<ReportOutcome, { ok: false }>;

const ADDRESS = say`${{ setting: 'TASK_MANAGER_HOST' }} and ${{ setting: 'TASK_MANAGER_PORT' }} say where it is.`;

/** The error; where no Task Manager answered, it also says where the address is set. */
export const withAddress = ({ error, status }: Refused): CallError => ({
  code: 'failed',
  ...(status === undefined && error.code === 'connection_failed' && { hint: [ADDRESS] }),
  ...error,
});

/** Message and hint as one line. */
export function lineOf({ message, hint }: Pick<WireError, 'message' | 'hint'>): string {
  const line = hint === undefined ? message : `${message}${/[.!?]$/.test(message) ? '' : '.'} ${hint}`;
  return line.replaceAll(/\s+/g, ' ');
}

/** The error as `errand step` shows it. */
export const inWordsOfStep = (error: CallError): WireError => worded(error, STEP_NAMING);
