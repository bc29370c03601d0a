import type { ToolShape } from '#host';
import { decodeText } from '#http/body';
import { isObject, type JsonObject } from '#json';
import { HEADER_MISMATCH, RpcError, type RpcRequest } from '#json-rpc';

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The parameter that `Mcp-Name` repeats, by method. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** A proxy that routes by headers must see the same request as the server, which reads the body. */
export function checkHeaders({ method, params }: RpcRequest, headers: Headers): void {
  if (headers['mcp-method'] !== method) throw mismatch('Mcp-Method', 'method');
  const source = NAMED_BY.get(method);
  if (source === undefined) return;
  const name = params[source];
  if (typeof name === 'string' && decode(headers['mcp-name']) !== name) throw mismatch('Mcp-Name', `params.${source}`);
}

interface ParamHeader {
  readonly header: string;
  readonly path: readonly string[];
}

const declared = new WeakMap<readonly ToolShape[], ReadonlyMap<string, readonly ParamHeader[]>>();

/** Compares the arguments which the tool's schema mirrors into `Mcp-Param-*` headers. */
export function checkParamHeaders({ params }: RpcRequest, headers: Headers, tools: readonly ToolShape[]): void {
  const call: { readonly name?: unknown; readonly arguments?: unknown } = params;
  for (const { header, path } of declaredBy(tools).get(String(call.name)) ?? []) {
    const value = valueAt(call.arguments, path);
    if (value === undefined || value === null || typeof value === 'object') continue;
    const sent = decode(headers[`mcp-param-${header.toLowerCase()}`]);
    const same = typeof value === 'number' && sent?.trim() ? Number(sent) === value : sent === String(value);
    if (!same) throw mismatch(`Mcp-Param-${header}`, `params.arguments.${path.join('.')}`);
  }
}

function declaredBy(tools: readonly ToolShape[]): ReadonlyMap<string, readonly ParamHeader[]> {
  const kept = declared.get(tools);
  if (kept !== undefined) return kept;
  const found = new Map(tools.map((tool) => [tool.name, paramHeaders(tool.inputSchema, [])] as const));
  declared.set(tools, found);
  return found;
}

function paramHeaders(schema: JsonObject, path: readonly string[]): ParamHeader[] {
  const { properties }: { readonly properties?: unknown } = schema;
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isObject(property)) return [];
    const here = [...path, name];
    const header = property['x-mcp-header'];
    return [...(typeof header === 'string' ? [{ header, path: here }] : []), ...paramHeaders(property, here)];
  });
}

const valueAt = (root: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), root);

const ENCODED = /^=\?base64\?(.*)\?=$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Decodes a header; undefined when it is missing or cannot be decoded, which equals no value. */
function decode(value: string | readonly string[] | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  const encoded = value.startsWith('=?') ? ENCODED.exec(value)?.[1] : undefined;
  if (encoded === undefined) return value.trim();
  if (!BASE64.test(encoded)) return undefined;
  const decoded = decodeText(Buffer.from(encoded, 'base64'));
  return decoded.ok ? decoded.text : undefined;
}

const mismatch = (header: string, field: string): RpcError =>
  new RpcError(HEADER_MISMATCH, `Header mismatch: ${header} must be there and equal ${field} of the body.`);
