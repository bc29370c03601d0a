import type { WireError } from '#gateway/gateway';
import type { ReportOutcome } from '#gateway/report';

const TYPED: Readonly<Record<string, string>> = {
  step_name: 'text',
  step_id: '--id',
  execution_id: '--execution',
  status: '--status',
  message: '--message',
};

/** What refusals say to agents, and what `errand step` calls it. What stands in quotes is the caller's own and stays. */
const SPELLED: readonly (readonly [RegExp, string])[] = [
  [
    /(?<!["\w-])create_step creates one and answers its step_id(?!["\w])/g,
    'errand step "text" creates one and prints its id',
  ],
  [/(?<!["\w-])create_step answers it(?!["\w])/g, 'errand step "text" prints it'],
  [/(?<!["\w-])step_name(?!["\w])/g, 'text'],
  [/(?<!["\w-])step_id(?!["\w])/g, '--id'],
  [/(?<!["\w-])execution_id(?!["\w])/g, '--execution'],
  [/(?<=^|; )(status|message)(?=:)/g, '--$1'],
];

const spelled = (text: string): string =>
  SPELLED.reduce((words, [theirs, ours]) => words.replaceAll(theirs, ours), text);

function messageOf({ message, details }: WireError): string {
  const { fields } = details ?? {};
  if (!Array.isArray(fields)) return message;
  // Every error about fields names them like this: see the gateway's validation.
  const problems = fields as readonly { readonly field: string; readonly problem: string }[];
  return `${problems.map(({ field, problem }) => `${TYPED[field] ?? field} ${problem}`.trim()).join('; ')}.`;
}

/** What a report is refused with. */
export type Refused = Extract<ReportOutcome, { ok: false }>;

/** The error; where nobody answered, it also says what to do about that. */
export const withPlace = ({ error, status }: Refused): WireError => ({
  code: 'failed',
  ...(status === undefined &&
    error.code === 'connection_failed' && { hint: 'TASK_MANAGER_HOST and TASK_MANAGER_PORT say where it is.' }),
  ...error,
});

interface Words {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Message and hint as one line. */
export function lineOf({ message, hint }: Words): string {
  const line = hint === undefined ? message : `${message}${/[.!?]$/.test(message) ? '' : '.'} ${hint}`;
  return line.replaceAll(/\s+/g, ' ');
}

/** The same error in words of `errand step`: people typed a text and flags, not the fields of two tools. */
export const inWordsOfStep = (error: WireError): WireError => ({
  ...error,
  message: spelled(messageOf(error)),
  ...(error.hint !== undefined && { hint: spelled(error.hint) }),
});
