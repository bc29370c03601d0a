import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

export const MAX_BODY_BYTES = 1024 * 1024;
/** Of a whole message. The gateway, which knows no transport, limits arguments itself: they also come from command lines and as JSON inside a text. */
export const MAX_JSON_DEPTH = 64;

/** A refused body is still taken up to here: closing on a sender in mid-sentence resets the connection before it reads the refusal. */
const MAX_DISCARDED_BYTES = 8 * MAX_BODY_BYTES;

/** Why a body was not taken. */
export const BODY_PROBLEMS = {
  media_type: { status: 415, message: 'Send the body as application/json, uncompressed.' },
  too_large: { status: 413, message: `The body is larger than ${MAX_BODY_BYTES} bytes.` },
  invalid_utf8: { status: 400, message: 'The body is not valid UTF-8.' },
  invalid_json: { status: 400, message: 'The body is not valid JSON.' },
  too_deep: { status: 400, message: `The JSON is nested deeper than ${MAX_JSON_DEPTH} levels.` },
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

/** Reads a request's JSON once, within the limits. Never rejects. */
export async function readJson(req: IncomingMessage): Promise<JsonText> {
  if (!isJson(req.headers['content-type'], req.headers['content-encoding'])) return refuse('media_type');
  const body = await readText(req);
  return body.ok ? parseJson(body.text) : body;
}

export function isJson(type: string | undefined, encoding: string | undefined): boolean {
  if (type === undefined || (encoding !== undefined && encoding !== 'identity')) return false;
  if (type === 'application/json') return true;
  return type.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}

export function readText(req: IncomingMessage): Promise<BodyText> {
  return new Promise((resolve) => {
    if (Number(req.headers['content-length'] ?? 0) > MAX_DISCARDED_BYTES) return resolve(refuse('too_large'));

    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) return void chunks.push(chunk);
      chunks.length = 0;
      if (size <= MAX_DISCARDED_BYTES) return;
      req.pause();
      resolve(refuse('too_large'));
    });
    req.on('end', () => resolve(size > MAX_BODY_BYTES ? refuse('too_large') : decodeText(whole(chunks))));
    req.on('error', () => resolve(refuse('aborted')));
    req.on('close', () => resolve(refuse('aborted')));
  });
}

const whole = ([first, ...rest]: readonly Buffer[]): Buffer =>
  first !== undefined && rest.length === 0 ? first : Buffer.concat(first === undefined ? [] : [first, ...rest]);

/** Replacing bad bytes instead would let two different inputs look the same. */
export function decodeText(bytes: Buffer): BodyText {
  return isUtf8(bytes) ? { ok: true, text: bytes.toString('utf8') } : refuse('invalid_utf8');
}

export function parseJson(text: string): JsonText {
  if (exceedsDepth(text, MAX_JSON_DEPTH)) return refuse('too_deep');
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return refuse('invalid_json');
  }
}

const QUOTE = 34;
const BACKSLASH = 92;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/** Looked at before parsing: what parses at depth 10,000 cannot be written again and overflows whoever walks it. */
export function exceedsDepth(text: string, limit: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
  }
  return false;
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
