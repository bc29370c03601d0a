import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Admission } from './admission.ts';

export const MAX_BODY_BYTES = 1024 * 1024;
/** Limit of a whole message. The gateway limits arguments itself: they also come from command lines and inside texts. */
export const MAX_JSON_DEPTH = 64;

/** The limit for a whole message. Parsing, checking and refusing each value costs time. */
export const MAX_JSON_VALUES = 120_000;

/** A too large body is read up to this size and discarded: a client that still sends does not read the refusal. */
export const MAX_DISCARDED_BYTES = 32 * MAX_BODY_BYTES;

/** A body up to this size is held without a share of memory, and parsed without another turn. */
const SMALL_BYTES = 16 * 1024;

/** The reasons why a body is refused. */
export const BODY_PROBLEMS = {
  media_type: { status: 415, message: 'Send the body as application/json, uncompressed.' },
  too_large: { status: 413, message: `The body is larger than ${MAX_BODY_BYTES} bytes.` },
  invalid_utf8: { status: 400, message: 'The body is not valid UTF-8.' },
  invalid_json: { status: 400, message: 'The body is not valid JSON.' },
  too_deep: { status: 400, message: `The JSON is nested deeper than ${MAX_JSON_DEPTH} levels.` },
  too_many_values: { status: 400, message: `The JSON holds more than ${MAX_JSON_VALUES} values.` },
  aborted: { status: 400, message: 'The request ended before its body did.' },
} as const;

export type BodyProblem = keyof typeof BODY_PROBLEMS;

export type JsonText = { readonly ok: true; readonly value: unknown } | BodyRefusal;
export type BodyText = { readonly ok: true; readonly text: string } | BodyRefusal;

interface BodyRefusal {
  readonly ok: false;
  readonly problem: BodyProblem;
}

const refuse = (problem: BodyProblem): BodyRefusal => ({ ok: false, problem });

/** Reads a request's JSON once, within the limits. Rejects only with errors of the admission. */
export async function readJson(req: IncomingMessage, admission?: Admission): Promise<JsonText> {
  if (!isJson(req.headers['content-type'], req.headers['content-encoding'])) return refuse('media_type');
  const body = await readChunks(req, admission);
  if (admission !== undefined) await admission.turn();
  if (!body.ok) return body;
  // Concatenate only now: a body that waits for its turn is in memory once, not three times.
  const text = decodeText(whole(body.chunks));
  return text.ok ? parseJson(text.text) : text;
}

export function isJson(type: string | undefined, encoding: string | undefined): boolean {
  if (type === undefined || (encoding !== undefined && encoding !== 'identity')) return false;
  if (type === 'application/json') return true;
  return type.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}

type BodyChunks = { readonly ok: true; readonly chunks: readonly Buffer[] } | BodyRefusal;

function readChunks(req: IncomingMessage, admission: Admission | undefined): Promise<BodyChunks> {
  return new Promise((resolve, reject) => {
    const announced = Number(req.headers['content-length'] ?? MAX_BODY_BYTES);
    if (announced > MAX_DISCARDED_BYTES) return resolve(refuse('too_large'));
    const chunks: Buffer[] = [];
    let size = 0;
    let isKept = admission === undefined;

    function keep(): void {
      isKept = true;
      req.pause();
      admission?.keepBody(Math.min(announced, MAX_BODY_BYTES)).then(() => req.resume(), reject);
    }

    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else chunks.length = 0;
      if (size > MAX_DISCARDED_BYTES) {
        req.pause();
        resolve(refuse('too_large'));
      } else if (size > SMALL_BYTES && !isKept) keep();
    });
    req.on('end', () => resolve(size > MAX_BODY_BYTES ? refuse('too_large') : { ok: true, chunks }));
    req.on('error', () => resolve(refuse('aborted')));
    req.on('close', () => resolve(refuse('aborted')));
  });
}

function whole(chunks: readonly Buffer[]): Buffer {
  const first = chunks[0];
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}

/** Decodes UTF-8 strictly: with replacement characters two different inputs could look the same. */
export function decodeText(bytes: Buffer): BodyText {
  return isUtf8(bytes) ? { ok: true, text: bytes.toString('utf8') } : refuse('invalid_utf8');
}

export function parseJson(text: string): JsonText {
  const problem = structureProblem(text);
  if (problem !== null) return refuse(problem);
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return refuse('invalid_json');
  }
}

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/**
 * Checks the shape of a JSON text before parsing: a value of depth 10,000 parses, but overflows the
 * stack of code that walks it, and 60,000 names take longer to parse and refuse than hundreds of calls.
 */
export function structureProblem(text: string): 'too_deep' | 'too_many_values' | null {
  if (text.length < MAX_JSON_VALUES && count(text, '{') + count(text, '[') <= MAX_JSON_DEPTH) return null;
  let depth = 0;
  let values = 1;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === COMMA) values += 1;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1;
      values += 1;
      if (depth > MAX_JSON_DEPTH) return 'too_deep';
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
    if (values > MAX_JSON_VALUES) return 'too_many_values';
  }
  return null;
}

/** Counts a character, in strings too. Most messages have so few brackets that they cannot be nested too deeply. */
function count(text: string, character: string): number {
  let found = 0;
  for (let i = text.indexOf(character); i !== -1 && found <= MAX_JSON_DEPTH; i = text.indexOf(character, i + 1))
    found += 1;
  return found;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
  return slashes % 2 === 1;
}
