import { isObject } from '#transports/json';
import type { Call } from '#transports/mcp/call';
import { changeNotification } from '#transports/mcp/changes';
import type { Change, McpHost } from '#transports/mcp/host';
import { INVALID_PARAMS, INVALID_REQUEST, notificationText, RpcError } from '#transports/mcp/json-rpc';
import { need } from '#transports/mcp/methods';
import { SERVER_INFO, SUBSCRIPTION_ID } from '#transports/mcp/versions';

interface Filter {
  readonly toolsListChanged?: unknown;
  readonly promptsListChanged?: unknown;
  readonly resourcesListChanged?: unknown;
  readonly resourceSubscriptions?: unknown;
}

/** Tells the client of the changes it asked for until it closes the stream, or the server does. */
export async function listen<Caller>(host: McpHost<Caller>, call: Call<Caller>): Promise<string> {
  const changes = need(host.changes, call);
  const { notifications }: { notifications?: unknown } = call.request.params;
  if (!call.channel.streams) throw new RpcError(INVALID_REQUEST, 'Accept text/event-stream to listen.');
  if (!isObject(notifications)) throw new RpcError(INVALID_PARAMS, 'notifications must be an object.');

  call.lasting = true;
  const accepted = accept(notifications, host);
  const meta = { [SUBSCRIPTION_ID]: call.request.id };
  const acknowledged = { _meta: meta, notifications: accepted };
  call.send(notificationText('notifications/subscriptions/acknowledged', acknowledged));
  const stop = changes.subscribe(call.caller, (change) => {
    if (!wants(accepted, change)) return;
    const { method, params } = changeNotification(change, meta);
    call.send(notificationText(method, params));
  });

  await over(call.signal);
  stop();
  return JSON.stringify({ resultType: 'complete', _meta: { ...meta, [SERVER_INFO]: host.server_info } });
}

function accept<Caller>(asked: Filter, host: McpHost<Caller>): Filter {
  const uris = Array.isArray(asked.resourceSubscriptions) ? asked.resourceSubscriptions : [];
  return {
    ...(asked.toolsListChanged === true && { toolsListChanged: true }),
    ...(asked.promptsListChanged === true && host.prompts && { promptsListChanged: true }),
    ...(asked.resourcesListChanged === true && host.resources && { resourcesListChanged: true }),
    ...(uris.length > 0 && host.resources && { resourceSubscriptions: uris.filter((uri) => typeof uri === 'string') }),
  };
}

function wants(filter: Filter, change: Change): boolean {
  switch (change.kind) {
    case 'tools':
      return filter.toolsListChanged === true;
    case 'prompts':
      return filter.promptsListChanged === true;
    case 'resources':
      return filter.resourcesListChanged === true;
    case 'resource':
      return Array.isArray(filter.resourceSubscriptions) && filter.resourceSubscriptions.includes(change.uri);
  }
}

const over = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
