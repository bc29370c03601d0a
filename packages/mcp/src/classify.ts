import { isObject } from './json.ts';
import { HEADER_MISMATCH, INVALID_PARAMS, RpcError, type RpcRequest, UNSUPPORTED_VERSION } from './json-rpc.ts';
import { CLIENT_CAPABILITIES, PROTOCOL_VERSION, VERSION_2026, VERSIONS_2025 } from './versions.ts';

export type Generation = '2025' | '2026';

/** The version header of the message's HTTP request; null for a transport without headers. */
export type VersionHeader = { readonly version: string | undefined } | null;

/** Returns the generation of a request. Its own `_meta` decides, and the header must not contradict it. */
export function classify(request: RpcRequest, header: VersionHeader): Generation | RpcError {
  const claimed = request.meta[PROTOCOL_VERSION];
  if (claimed !== undefined) return checkClaim(request, claimed, header);
  if (request.method === 'initialize') return '2025';
  if (request.method === 'server/discover' || header?.version === VERSION_2026) {
    return new RpcError(INVALID_PARAMS, `_meta needs ${PROTOCOL_VERSION}.`);
  }
  return checkVersionHeader(header) ?? '2025';
}

function checkClaim({ meta }: RpcRequest, claimed: unknown, header: VersionHeader): Generation | RpcError {
  if (typeof claimed !== 'string') return new RpcError(INVALID_PARAMS, `${PROTOCOL_VERSION} must be a string.`);
  if (header !== null && header.version !== claimed) {
    return new RpcError(HEADER_MISMATCH, 'The MCP-Protocol-Version header must name the version of the body.');
  }
  if (claimed !== VERSION_2026) return unsupported([VERSION_2026], claimed);
  if (!isObject(meta[CLIENT_CAPABILITIES])) {
    return new RpcError(INVALID_PARAMS, `_meta needs ${CLIENT_CAPABILITIES}, an object.`);
  }
  return '2026';
}

/** Checks the version header, which any message may have, not only a request. */
export function checkVersionHeader(header: VersionHeader): RpcError | undefined {
  const version = header?.version;
  if (version === undefined || version === VERSION_2026 || VERSIONS_2025.has(version)) return undefined;
  return unsupported([...VERSIONS_2025, VERSION_2026], version);
}

const unsupported = (supported: readonly string[], requested: string): RpcError =>
  new RpcError(UNSUPPORTED_VERSION, `Unsupported protocol version: ${requested}`, { supported, requested });
