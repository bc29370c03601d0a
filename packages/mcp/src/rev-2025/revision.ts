import { declareTasks, serverTaskCapabilities, toolExecution } from '@errand/tasks/2025-11-25';
import type { Call } from '#call';
import { isLogLevel } from '#call';
import { clientInfoOf } from '#client-info';
import { resourceCapabilities } from '#extensions';
import type { ContentAnswer, JsonAnswer, McpHost, ToolShape } from '#host';
import { isObject, type JsonObject } from '#json';
import { INVALID_PARAMS, RpcError } from '#json-rpc';
import { need, SHARED_METHODS, text } from '#methods';
import type { Method, Revision, SupportOf } from '#revision';
import { ownerOf } from '#task-requestor';
import { LATEST_2025, TASKS_VERSION, VERSIONS_2025 } from '#versions';
import { TASK_TABLE } from './task-methods.ts';

interface Params {
  readonly protocolVersion?: unknown;
  readonly capabilities?: unknown;
  readonly clientInfo?: unknown;
  readonly level?: unknown;
  readonly uri?: unknown;
}

/** Creates the revisions 2024-11-05 to 2025-11-25: `initialize` first, then requests in both directions. */
export function createRevision2025(withTasks: boolean): Revision {
  const lists = new WeakMap<readonly ToolShape[], string>();
  const listsWithTasks = new WeakMap<readonly ToolShape[], string>();

  return {
    methods: new Map<string, Method>([
      ...SHARED_METHODS,
      ['initialize', initialize],
      ['ping', () => '{}'],
      ['logging/setLevel', setLevel],
      ['resources/subscribe', subscribe],
      ['resources/unsubscribe', unsubscribe],
      ...(withTasks ? TASK_TABLE : []),
    ]),
    statusOf: () => 200,
    complete: (members) => `{${members}}`,
    tools: (tools, supportOf) => {
      const known = supportOf === null ? lists : listsWithTasks;
      const kept = known.get(tools);
      if (kept !== undefined) return kept;
      const written = `{"tools":${JSON.stringify(supportOf === null ? tools : withExecution(tools, supportOf))}}`;
      known.set(tools, written);
      return written;
    },
    toolResult,
    inputRequired: null,
    missingCapability: (required) =>
      new RpcError(INVALID_PARAMS, `The client does not support ${Object.keys(required).join(', ')}.`),
    disconnect_cancels: false,
  };
}

const withExecution = (tools: readonly ToolShape[], supportOf: SupportOf): readonly object[] =>
  tools.map((tool) => {
    const support = supportOf(tool.name);
    return support === 'forbidden' ? tool : { ...tool, execution: toolExecution(support) };
  });

function toolResult(answer: JsonAnswer | ContentAnswer): string {
  const failed = answer.failed ? ',"isError":true' : '';
  if (answer.kind === 'json') {
    return `{"content":[{"type":"text","text":${answer.quoted ?? JSON.stringify(answer.json)}}],"structuredContent":${answer.json}${failed}}`;
  }
  const structured = answer.structured ? `,"structuredContent":${JSON.stringify(answer.structured)}` : '';
  return `{"content":${JSON.stringify(answer.content)}${structured}${failed}}`;
}

async function initialize<Caller>(host: McpHost<Caller>, call: Call<Caller>): Promise<string> {
  const params: Params = call.request.params;
  const wanted = text(params.protocolVersion, 'protocolVersion');
  const protocol_version = VERSIONS_2025.has(wanted) ? wanted : LATEST_2025;
  const client_capabilities = isObject(params.capabilities) ? params.capabilities : {};
  const client = clientInfoOf(params.clientInfo);
  await call.channel.begin({ protocol_version, client_capabilities, client, log_level: null, subscriptions: [] });

  return JSON.stringify({
    protocolVersion: protocol_version,
    capabilities: {
      ...capabilitiesOf(host, client_capabilities, call.channel.session !== null),
      ...(protocol_version === TASKS_VERSION && taskCapabilitiesOf(host, call)),
    },
    serverInfo: host.server_info,
    instructions: host.instructions?.(call.caller),
  });
}

/** Only a client with a session can be sent changes. */
function capabilitiesOf<Caller>(
  host: McpHost<Caller>,
  client_capabilities: JsonObject,
  remembered: boolean,
): Record<string, object> {
  const tells = host.changes !== undefined && remembered;
  const listChanged = tells ? { listChanged: true } : {};
  return {
    tools: listChanged,
    ...resourceCapabilities(host, client_capabilities, tells),
    ...(host.prompts && { prompts: listChanged }),
    ...(host.complete && { completions: {} }),
    ...(host.logging && { logging: {} }),
  };
}

/** Nothing for a client without an identity: its tasks could not be distinguished from those of another. */
function taskCapabilitiesOf<Caller>({ tasks }: McpHost<Caller>, { caller, channel }: Call<Caller>): object {
  if (tasks === undefined || ownerOf(tasks, caller, channel.session) === null) return {};
  return declareTasks(serverTaskCapabilities.full());
}

async function setLevel<Caller>(host: McpHost<Caller>, call: Call<Caller>): Promise<string> {
  need(host.logging || undefined, call);
  const { level }: Params = call.request.params;
  if (!isLogLevel(level)) throw new RpcError(INVALID_PARAMS, 'level is not a log level.');
  await call.channel.change({ log_level: level });
  return '{}';
}

async function subscribe<Caller>(host: McpHost<Caller>, call: Call<Caller>): Promise<string> {
  const { uri, others } = subscription(host, call);
  await call.channel.change({ subscriptions: [...others, uri] });
  return '{}';
}

async function unsubscribe<Caller>(host: McpHost<Caller>, call: Call<Caller>): Promise<string> {
  await call.channel.change({ subscriptions: subscription(host, call).others });
  return '{}';
}

function subscription<Caller>(host: McpHost<Caller>, call: Call<Caller>): { uri: string; others: readonly string[] } {
  need(host.resources && host.changes, call);
  const { subscriptions } = need(call.channel.session ?? undefined, call);
  const params: Params = call.request.params;
  const uri = text(params.uri, 'uri');
  return { uri, others: subscriptions.filter((other) => other !== uri) };
}
