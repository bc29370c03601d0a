import { isRpcId, type RpcRequest } from '#json-rpc';

const PREFIX = 'result_';

/**
 * Returns the event id with which any process can resume waiting for a task's result. It contains the request, so
 * nothing of the stream has to be stored. Undefined for every other request.
 */
export function resumeIdOf({ id, method, params }: RpcRequest): string | undefined {
  const { taskId }: { readonly taskId?: unknown } = params;
  if (method !== 'tasks/result' || typeof taskId !== 'string') return undefined;
  return `${PREFIX}${Buffer.from(JSON.stringify([id, taskId])).toString('base64url')}`;
}

/** Reads the request that a client resumes; undefined when it resumes no request. */
export function resumedRequest(event_id: string | readonly string[] | undefined): RpcRequest | undefined {
  if (typeof event_id !== 'string' || !event_id.startsWith(PREFIX)) return undefined;
  try {
    const kept: unknown = JSON.parse(Buffer.from(event_id.slice(PREFIX.length), 'base64url').toString());
    const [id, taskId]: readonly unknown[] = Array.isArray(kept) ? kept : [];
    if (!isRpcId(id) || typeof taskId !== 'string') return undefined;
    return { kind: 'request', id, method: 'tasks/result', params: { taskId }, meta: {} };
  } catch {
    return undefined;
  }
}
