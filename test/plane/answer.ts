/** An answer before the throttling headers are added. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const ok = (body: unknown, status = 200): Answer => ({ status, body });

const detail = (status: number, words: string): Answer => ({ status, body: { detail: words } });
const error = (status: number, words: string, more: Readonly<Record<string, unknown>> = {}): Answer => ({
  status,
  body: { error: words, ...more },
});

export const PAGE_NOT_FOUND = error(404, 'Page not found.');
export const NO_SUCH_OBJECT = error(404, 'The requested resource does not exist.');
export const NO_CREDENTIALS = detail(401, 'Authentication credentials were not provided.');
// 403 and not 401: the authentication class names no scheme to challenge with.
export const BAD_KEY = detail(403, 'Given API token is not valid');
export const NO_PERMISSION = detail(403, 'You do not have permission to perform this action.');
export const INVALID_PAYLOAD = error(400, 'The payload is not valid');
export const INVALID_DETAIL = error(400, 'Please provide valid detail');
export const BODY_TOO_LARGE = error(413, 'REQUEST_BODY_TOO_LARGE', {
  detail: 'The size of the request body exceeds the maximum allowed size.',
});
export const SOMETHING_WRONG = error(500, 'Something went wrong please try again later');

export const parseError = (words: string): Answer => detail(400, words);
export const methodNotAllowed = (method: string): Answer => detail(405, `Method "${method}" not allowed.`);
export const invalid = (errors: Readonly<Record<string, unknown>>): Answer => ({ status: 400, body: errors });
export const sameExternalId = (noun: string, id: string): Answer =>
  error(409, `${noun} with the same external id and external source already exists`, { id });

export const throttled = (wait_seconds: number): Answer => ({
  status: 429,
  body: { error_code: 5900, error_message: 'RATE_LIMIT_EXCEEDED' },
  headers: { 'retry-after': String(wait_seconds) },
});
