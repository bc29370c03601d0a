import type { TaskSubscription } from '@errand/tasks/2026-07-28';
import type { Call } from '#call';
import { changeNotification } from '#changes';
import type { Change, McpHost } from '#host';
import { isObject } from '#json';
import { INVALID_PARAMS, INVALID_REQUEST, notificationText, RpcError } from '#json-rpc';
import { need } from '#methods';
import { SERVER_INFO, SUBSCRIPTION_ID } from '#versions';
import { taskMethods, taskRequest } from './task-methods.ts';

interface Filter {
  readonly toolsListChanged?: unknown;
  readonly promptsListChanged?: unknown;
  readonly resourcesListChanged?: unknown;
  readonly resourceSubscriptions?: unknown;
  readonly taskIds?: unknown;
}

/** Sends the client the changes that it asked for, until the client or the server closes the stream. */
export async function listen<Caller>(host: McpHost<Caller>, call: Call<Caller>): Promise<string> {
  need(host.changes ?? host.tasks, call);
  const { notifications }: { notifications?: unknown } = call.request.params;
  if (!call.channel.streams) throw new RpcError(INVALID_REQUEST, 'Accept text/event-stream to listen.');
  if (!isObject(notifications)) throw new RpcError(INVALID_PARAMS, 'notifications must be an object.');
  call.lasting = true;
  // Get the signal before any await: it is created at the first use, and an earlier abort would be missed.
  const { signal } = call;
  const tasks = await tasksOf(host, call, notifications);

  const accepted = accept(notifications, host, tasks);
  const meta = { [SUBSCRIPTION_ID]: call.request.id };
  const acknowledged = { _meta: meta, notifications: accepted };
  call.send(notificationText('notifications/subscriptions/acknowledged', acknowledged));
  const stop = host.changes?.subscribe(call.caller, (change) => {
    if (!wants(accepted, change)) return;
    const { method, params } = changeNotification(change, meta);
    call.send(notificationText(method, params));
  });
  const stopTasks = tasks?.follow(({ method, params }) => call.send(notificationText(method, params)), meta);

  await over(signal);
  stop?.();
  stopTasks?.();
  return JSON.stringify({ resultType: 'complete', _meta: { ...meta, [SERVER_INFO]: host.server_info } });
}

/** Subscribes to the requested tasks; undefined when none is requested, or the host has no tasks. */
async function tasksOf<Caller>(
  host: McpHost<Caller>,
  call: Call<Caller>,
  { taskIds }: Filter,
): Promise<TaskSubscription | undefined> {
  if (taskIds === undefined || host.tasks === undefined) return undefined;
  return await taskMethods(host, call).subscribe(taskRequest(host, call));
}

function accept<Caller>(asked: Filter, host: McpHost<Caller>, tasks: TaskSubscription | undefined): Filter {
  const uris = Array.isArray(asked.resourceSubscriptions) ? asked.resourceSubscriptions : [];
  const tells = host.changes !== undefined;
  return {
    ...(asked.toolsListChanged === true && tells && { toolsListChanged: true }),
    ...(asked.promptsListChanged === true && tells && host.prompts && { promptsListChanged: true }),
    ...(asked.resourcesListChanged === true && tells && host.resources && { resourcesListChanged: true }),
    ...(uris.length > 0 &&
      tells &&
      host.resources && { resourceSubscriptions: uris.filter((uri) => typeof uri === 'string') }),
    ...(tasks && { taskIds: tasks.task_ids }),
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
