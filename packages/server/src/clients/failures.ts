import { redact } from '#domain/text';
import { visible } from '#domain/visible-text';
import { TaskManagerError } from '#tools/task-manager';

const MAX_CHARACTERS = 500;
const MAX_CODE_CHARACTERS = 64;

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Finds the text of an error in the usual forms: a text, an object around it, or a list of those. */
function wordsIn(value: unknown): string {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values
    .map((each) => (isFields(each) ? (each.message ?? each.msg) : each))
    .filter((each) => typeof each === 'string')
    .join('; ');
}

function codeIn({ error_code, code, error }: Fields): string {
  const inner = isFields(error) ? error.code : undefined;
  return [error_code, code, inner].find((each) => typeof each === 'string') ?? '';
}

/** The reason that an answer gives, in words. */
const wordsOf = (fields: Fields): string =>
  safe(wordsIn(fields.error) || wordsIn(fields.detail) || wordsIn(fields.message), MAX_CHARACTERS);

const safe = (text: string, most: number): string => redact(visible(text).trim(), most);

const UNAUTHORIZED = 401;

const NEEDS_TOKEN =
  'Set TASK_MANAGER_TOKEN to a token with the scope execution:report: errand agent create NAME --scopes execution:report makes one.';

// An agent that reports with a tool or a command sends no header itself.
const withoutHeader = (words: string): string => words.replace(/\s*Send "Authorization: Bearer .*$/s, '');

/** The reason for a refused token, and where a reporter sets its token. */
function aboutToken(words: string): string {
  const said = withoutHeader(words) || `Task Manager answered ${UNAUTHORIZED}`;
  return `${said}${/[.!?]$/.test(said) ? '' : '.'} ${NEEDS_TOKEN}`;
}

const badResponse = (message: string, status_code: number): TaskManagerError =>
  new TaskManagerError(`Task Manager answered ${message}`, { error_code: 'bad_response', status_code });

/** The errors that calls of a Task Manager end with. */
export const createFailures = (base_url: string) => ({
  timeout: () => new TaskManagerError('Request timeout', { error_code: 'timeout' }),
  unreachable: () => new TaskManagerError(`Connection failed to ${base_url}`, { error_code: 'connection_failed' }),
  redirected: (status: number) => badResponse(`${status}, a redirect, which is not followed`, status),
  undecided: (status: number) =>
    badResponse(`${status}, which says neither that it was done nor that it was not`, status),
  unreadable: (status: number) => badResponse('something that cannot be read', status),
  notJson: (status: number) => badResponse('something that is not a JSON object', status),
  tooLong: (status: number) => badResponse('more than 1 MiB', status),
  withoutStep: (status: number) => badResponse('without an id of the step that could be used', status),
  ofAnother: (status: number) => badResponse('about another step than the one asked for', status),
  refused: (status: number, body: unknown): TaskManagerError => {
    const fields = isFields(body) ? body : {};
    const saysSo = fields.success === false;
    const words = wordsOf(fields) || `Task Manager answered ${status}${saysSo ? ' and "success": false' : ''}`;
    return new TaskManagerError(status === UNAUTHORIZED ? aboutToken(words) : words, {
      error_code: safe(codeIn(fields), MAX_CODE_CHARACTERS) || (saysSo ? 'refused' : 'http_error'),
      status_code: status,
    });
  },
  unhealthy: (status: number, fields: Fields): TaskManagerError => {
    const named = typeof fields.status === 'string' ? safe(fields.status, MAX_CODE_CHARACTERS) : '';
    return new TaskManagerError(wordsOf(fields) || `Task Manager is not healthy${named && `: ${named}`}`, {
      error_code: 'unhealthy',
      status_code: status,
    });
  },
});

export type Failures = ReturnType<typeof createFailures>;
