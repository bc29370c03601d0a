import { isObject, type JsonObject } from './json.ts';

export type RpcId = string | number;

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
export const HEADER_MISMATCH = -32020;
export const MISSING_CAPABILITY = -32021;
export const UNSUPPORTED_VERSION = -32022;

/** A failure that is answered as a JSON-RPC error, with this message. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: JsonObject | undefined;
  /** The HTTP status of the answer; without it the protocol's generation decides. */
  readonly status: number | undefined;

  constructor(code: number, message: string, data?: JsonObject, status?: number) {
    super(message);
    this.code = code;
    this.data = data;
    this.status = status;
  }
}

export interface RpcRequest {
  readonly kind: 'request';
  readonly id: RpcId;
  readonly method: string;
  readonly params: JsonObject;
  readonly meta: JsonObject;
}

export interface RpcNotification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: JsonObject;
}

export interface RpcResponse {
  readonly kind: 'response';
  readonly id: RpcId;
  readonly result: unknown;
  readonly error: unknown;
}

export interface RpcMalformed {
  readonly kind: 'malformed';
  readonly id: RpcId | undefined;
  readonly message: string;
}

export type RpcMessage = RpcRequest | RpcNotification | RpcResponse | RpcMalformed;

/** True for an id that can be echoed exactly. With any other value the client would wait for ever. */
export const isRpcId = (value: unknown): value is RpcId => typeof value === 'string' || Number.isSafeInteger(value);

const NOTHING: JsonObject = Object.freeze({});

interface RawMessage {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

export function readMessage(value: unknown): RpcMessage {
  if (!isObject(value)) return malformed(undefined, 'A message is a JSON object.');
  const raw: RawMessage = value;
  const id = isRpcId(raw.id) ? raw.id : undefined;
  if (raw.jsonrpc !== '2.0') return malformed(id, 'jsonrpc must be "2.0".');
  if ('id' in raw && id === undefined) return malformed(undefined, 'id must be a string or an integer.');

  if (raw.method === undefined) return readResponse(raw, id);
  if (typeof raw.method !== 'string') return malformed(id, 'method must be a string.');
  if (raw.params !== undefined && !isObject(raw.params)) return malformed(id, 'params must be an object.');
  const params = raw.params ?? NOTHING;
  if (id === undefined) return { kind: 'notification', method: raw.method, params };
  return { kind: 'request', id, method: raw.method, params, meta: metaOf(params) };
}

function readResponse(raw: RawMessage, id: RpcId | undefined): RpcMessage {
  const answers = ('result' in raw ? 1 : 0) + ('error' in raw ? 1 : 0);
  if (id === undefined || answers !== 1)
    return malformed(id, 'A message has a method, or an id and a result or error.');
  return { kind: 'response', id, result: raw.result, error: raw.error };
}

const malformed = (id: RpcId | undefined, message: string): RpcMalformed => ({ kind: 'malformed', id, message });

export function metaOf(params: { readonly _meta?: unknown }): JsonObject {
  return isObject(params._meta) ? params._meta : NOTHING;
}

const idText = (id: RpcId): string => (typeof id === 'number' ? String(id) : JSON.stringify(id));

/** Encodes a response. `result` is already JSON text: a tool's answer is never parsed and written again. */
export const resultText = (id: RpcId, result: string): string =>
  `{"jsonrpc":"2.0","id":${idText(id)},"result":${result}}`;

/** The longest error text. Errors repeat the client's names and values, and must not be as long as the request. */
const MAX_ERROR_TEXT = 4_000;

const cut = (text: string): string =>
  text.length > MAX_ERROR_TEXT ? `${text.slice(0, MAX_ERROR_TEXT).toWellFormed()}…` : text;

function errorMember(error: { code: number; message: string; data?: JsonObject | undefined }): string {
  return JSON.stringify(error, (_, value) => (typeof value === 'string' ? cut(value) : value));
}

/** Encodes an error, without an id when none could be read: `null` is not an id in MCP. */
export function errorText(id: RpcId | undefined, code: number, message: string, data?: JsonObject): string {
  let error: string;
  try {
    error = errorMember({ code, message, data });
  } catch {
    // Data of a tool that JSON cannot hold must not cost the client its answer.
    error = errorMember({ code, message });
  }
  return id === undefined
    ? `{"jsonrpc":"2.0","error":${error}}`
    : `{"jsonrpc":"2.0","id":${idText(id)},"error":${error}}`;
}

export const requestText = (id: RpcId, method: string, params: JsonObject): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

export const notificationText = (method: string, params?: JsonObject): string =>
  JSON.stringify({ jsonrpc: '2.0', method, params });

/** Removes raw newlines between tokens: they would end a line or an event in the middle of a message. */
export const oneLine = (json: string): string => (/[\r\n]/.test(json) ? json.replaceAll(/[\r\n]+/g, ' ') : json);
