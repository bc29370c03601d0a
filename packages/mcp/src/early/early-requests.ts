import { classify } from '#classify';
import { isObject } from '#json';
import type { RpcRequest } from '#json-rpc';
import { CLIENT_CAPABILITIES, LATEST_2025, TASKS_EXTENSION, VERSION_2026, VERSIONS_2025 } from '#versions';

export interface EarlyRequest {
  /** Requests with the same key have the same answer. */
  readonly key: string;
  /** The revision of the protocol that the client uses from this request on. */
  readonly version: string;
  /** True for the list of tools. Clients ask for it last: nothing after it can be answered early. */
  readonly is_last: boolean;
}

interface Params {
  readonly protocolVersion?: unknown;
  readonly cursor?: unknown;
  readonly capabilities?: unknown;
}

const LIST = 'tools/list';
const OPENING = { '2025': 'initialize', '2026': 'server/discover' } as const;

const negotiated = (wanted: string): string => (VERSIONS_2025.has(wanted) ? wanted : LATEST_2025);

/** Whether a client declares an extension that can change what is listed: the recorded answers are not for it. */
function changesAnswers(client_capabilities: unknown): boolean {
  const { extensions }: { readonly extensions?: unknown } = Object(client_capabilities);
  return isObject(extensions) && Object.keys(extensions).some((name) => name !== TASKS_EXTENSION);
}

/** Recognizes a request whose answer is the same for every client of a revision; null for any other. */
export function earlyRequest(request: RpcRequest, spoken: string | null): EarlyRequest | null {
  const { method } = request;
  const { protocolVersion, cursor, capabilities }: Params = request.params;
  const generation = classify(request, null);
  if (typeof generation !== 'string' || cursor !== undefined) return null;
  if (changesAnswers(generation === '2026' ? request.meta[CLIENT_CAPABILITIES] : capabilities)) return null;
  if (method !== LIST && method !== OPENING[generation]) return null;
  const wanted = typeof protocolVersion === 'string' ? negotiated(protocolVersion) : null;
  const version = generation === '2026' ? VERSION_2026 : method === LIST ? spoken : wanted;
  return version === null ? null : { key: `${version} ${method}`, version, is_last: method === LIST };
}
