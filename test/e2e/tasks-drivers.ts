import { execPath } from 'node:process';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import {
  createTaskSessionFromClient,
  type RawClientDispatch,
  type TaskEnabledSession,
  type TaskOutcome,
} from '@modelcontextprotocol/ext-tasks/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { COMPILED } from './program.ts';
import { fixtureArgs } from './tasks-fixture.ts';
import { isFields, type WireCheck } from './tasks-schemas.ts';

const ME = { name: 'errand-tests', version: '1.0.0' };
const ELICITATION = { elicitation: { form: {} } };
const EXTENSION = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const VERSION = '2026-07-28';

/** The values that every client's user fills into every form. */
const FILLED_IN = { confirm: true, name: 'Ada', colour: 'red' };

type Args = Readonly<Record<string, string | number>>;

export interface Ending {
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly text: string;
}

/** A client that calls tools as tasks. */
export interface TaskDriver extends AsyncDisposable {
  /** Calls the tool and waits for its end. `created` can cancel the task as soon as it exists. */
  readonly run: (tool: string, args: Args, created?: (cancel: () => Promise<void>) => Promise<void>) => Promise<Ending>;
  /** Null in a generation without lists. */
  readonly list: (() => Promise<readonly string[]>) | null;
}

function textOf(result: unknown): string {
  const { content }: { readonly content?: unknown } = isFields(result) ? result : {};
  const [block]: readonly unknown[] = Array.isArray(content) ? content : [];
  return isFields(block) ? String(block.text) : '';
}

/** Returns the values for the fields of the question. */
function fillIn(params: Readonly<Record<string, unknown>>): Record<string, string | boolean> {
  const { requestedSchema }: { readonly requestedSchema?: unknown } = params;
  const { properties }: { readonly properties?: unknown } = isFields(requestedSchema) ? requestedSchema : {};
  return Object.fromEntries(Object.entries(FILLED_IN).filter(([name]) => isFields(properties) && name in properties));
}

async function driveV1(client: ClientV1, transport: HttpV1 | StdioV1): Promise<TaskDriver> {
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({ action: 'accept', content: fillIn(params) }));
  // The cast: its transports leave `sessionId` undefined, which its interface forbids under exact optional types.
  await client.connect(transport as Parameters<ClientV1['connect']>[0]);
  const { tasks } = client.experimental;

  return {
    run: async (tool, args, created) => {
      const stream = tasks.callToolStream({ name: tool, arguments: { ...args } }, CallToolResultSchema, { task: {} });
      let task_id = '';
      for await (const message of stream) {
        if (message.type === 'taskCreated') {
          task_id = message.task.taskId;
          await created?.(async () => void (await tasks.cancelTask(task_id)));
        }
        if (message.type === 'result') return { status: 'completed', text: textOf(message.result) };
        if (message.type === 'error') break;
      }
      const { status, statusMessage = '' } = await tasks.getTask(task_id);
      return { status: status === 'cancelled' ? 'cancelled' : 'failed', text: statusMessage };
    },
    list: async () => (await tasks.listTasks()).tasks.map(({ taskId }) => taskId),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const newClientV1 = (): ClientV1 => new ClientV1(ME, { capabilities: ELICITATION });

export const driveSdkV1 = (url: URL): Promise<TaskDriver> => driveV1(newClientV1(), new HttpV1(url));

/** Over pipes there is no proxy, so the messages are checked in the client's transport. */
export function driveSdkV1OverStdio(wire: WireCheck): Promise<TaskDriver> {
  const transport = new StdioV1({ command: execPath, args: fixtureArgs('--stdio'), env: { ...COMPILED } });
  const send = transport.send.bind(transport);
  transport.send = (message) => {
    wire.sent(message);
    return send(message);
  };
  const client = newClientV1();
  const driver = driveV1(client, transport);
  const { onmessage } = transport;
  transport.onmessage = (message) => {
    wire.received(message);
    onmessage?.(message);
  };
  return driver;
}

const endingOf = (outcome: TaskOutcome<unknown>): Ending => {
  if (outcome.status === 'completed') return { status: 'completed', text: textOf(outcome.result) };
  return { status: outcome.status, text: outcome.task?.statusMessage ?? '' };
};

const driveExtTasks = (session: TaskEnabledSession, client: ClientV2, lists: boolean): TaskDriver => ({
  run: async (tool, args, created) => {
    const execution = await session.callTool(tool, args, { task: { preference: 'require' } });
    await created?.(() => execution.cancel());
    return endingOf((await execution.settle()).outcome);
  },
  list: lists ? async () => (await session.listTasks()).tasks.map(({ taskId }) => taskId) : null,
  [Symbol.asyncDispose]: async () => {
    await session.close();
    await client.close();
  },
});

const answers: NonNullable<Parameters<typeof createTaskSessionFromClient<void>>[1]['onInputRequest']> = async (
  request,
) =>
  // The fixture asks for forms only.
  ({ action: 'accept', content: fillIn(request.params ?? {}) }) as never;

export async function driveExtTasks2025(url: URL): Promise<TaskDriver> {
  const client = new ClientV2(ME, { capabilities: ELICITATION });
  await client.connect(new HttpV2(url));
  const session = createTaskSessionFromClient<void>(client, { endpointId: url.href, onInputRequest: answers });
  return driveExtTasks(session, client, true);
}

export async function driveExtTasks2026(url: URL): Promise<TaskDriver> {
  const capabilities = { ...ELICITATION, ...EXTENSION };
  const client = new ClientV2(ME, { capabilities, versionNegotiation: { mode: { pin: VERSION } } });
  await client.connect(new HttpV2(url));
  const session = createTaskSessionFromClient<void>(client, {
    endpointId: url.href,
    onInputRequest: answers,
    rawDispatch: dispatchTo(url),
    v2RequestFraming: { protocolVersion: VERSION, clientInfo: ME, clientCapabilities: capabilities },
  });
  return driveExtTasks(session, client, false);
}

/** The host's part of the requester in this generation: its requests over plain HTTP. */
function dispatchTo(url: URL): RawClientDispatch {
  let count = 0;
  return async (request) => {
    if (!isFields(request)) throw new TypeError('A request is an object.');
    const { method, params } = request as {
      readonly method: string;
      readonly params: Readonly<Record<string, unknown>>;
    };
    count += 1;
    const response = await fetch(url, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: `raw-${count}`, method, params }),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': VERSION,
        'mcp-method': method,
        'mcp-name': String(params.taskId ?? params.name),
      },
    });
    const { result, error } = (await response.json()) as { readonly result: never; readonly error?: never };
    return error === undefined ? { kind: 'result', result } : { kind: 'error', error };
  };
}
