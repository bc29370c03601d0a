import { execPath } from 'node:process';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { createTaskSessionFromClient, type RawClientDispatch } from '@modelcontextprotocol/ext-tasks/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Arguments } from '../client.ts';
import { bearer } from '../http.ts';
import { cleanEnvironment, ERRAND, type Place, placeFlags } from '../program.ts';

const ME = { name: 'errand-tests', version: '1.0.0' };
const ELICITATION = { elicitation: { form: {} } };
const MODERN = '2026-07-28';
const MODERN_CAPABILITIES = { ...ELICITATION, extensions: { 'io.modelcontextprotocol/tasks': {} } };

export interface Asked {
  readonly status: string;
  /** Why the task failed, or the client gave up, if one did. */
  readonly reason: string;
  /** All questions that the client's user saw. */
  readonly questions: readonly string[];
}

/** The addresses at which a client reaches Errand. */
export interface Where {
  /** The board of the servers, behind a balancer. */
  readonly url: URL;
  readonly place: Place;
  readonly token: string;
}

/** A client that calls a tool as a task and answers its questions. */
export interface AskedClient extends AsyncDisposable {
  readonly run: (tool: string, args: Arguments, answer: string) => Promise<Asked>;
}

const programOf = ({ place, token }: Where) => {
  const environment = Object.entries(cleanEnvironment({ ERRAND_TOKEN: token }));
  return {
    command: execPath,
    args: [ERRAND, 'mcp', '--profile', 'board', ...placeFlags(place)],
    env: Object.fromEntries(environment.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    stderr: 'ignore' as const,
  };
};

const headersOf = ({ token }: Where) => ({ requestInit: { headers: bearer(token) } });

async function sdkClient(transport: HttpV1 | StdioV1): Promise<AskedClient> {
  const client = new ClientV1(ME, { capabilities: ELICITATION });
  const questions: string[] = [];
  let given = '';
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    questions.push(params.message);
    return { action: 'accept', content: { answer: given } };
  });
  // The cast: its transports leave `sessionId` undefined, which its interface forbids under exact optional types.
  await client.connect(transport as Parameters<ClientV1['connect']>[0]);
  const { tasks } = client.experimental;
  return {
    run: async (name, args, answer) => {
      given = answer;
      const stream = tasks.callToolStream({ name, arguments: { ...args } }, CallToolResultSchema, { task: {} });
      let task_id = '';
      let error = '';
      for await (const message of stream) {
        if (message.type === 'taskCreated') task_id = message.task.taskId;
        if (message.type === 'error') error = String(message.error);
      }
      const { status, statusMessage } = await tasks.getTask(task_id);
      return { status, reason: `${statusMessage} ${error}`, questions };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

interface Requester {
  readonly client: ClientV2;
  readonly endpointId: string;
  /** The host's part of the requester in the 2026 generation; null in 2025. */
  readonly dispatch: RawClientDispatch | null;
}

function requester({ client, endpointId, dispatch }: Requester): AskedClient {
  const questions: string[] = [];
  let given = '';
  const session = createTaskSessionFromClient<void>(client, {
    endpointId,
    // The agent asks for forms only.
    onInputRequest: async ({ params }) => {
      questions.push(String(params?.message));
      return { action: 'accept', content: { answer: given } } as never;
    },
    ...(dispatch && {
      rawDispatch: dispatch,
      v2RequestFraming: { protocolVersion: MODERN, clientInfo: ME, clientCapabilities: MODERN_CAPABILITIES },
    }),
  });
  return {
    run: async (tool, args, answer) => {
      given = answer;
      // Arguments of these tests are JSON.
      const execution = await session.callTool(tool, args as Parameters<typeof session.callTool>[1], {
        task: { preference: 'require' },
      });
      const { outcome } = await execution.settle();
      return { status: outcome.status, reason: JSON.stringify(outcome), questions };
    },
    [Symbol.asyncDispose]: async () => {
      await session.close();
      await client.close();
    },
  };
}

const elder = (): ClientV2 => new ClientV2(ME, { capabilities: ELICITATION });
const newer = (): ClientV2 =>
  new ClientV2(ME, { capabilities: MODERN_CAPABILITIES, versionNegotiation: { mode: { pin: MODERN } } });

/** A request that the requester passes to its host. */
interface RawRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface RawAnswer {
  readonly id?: unknown;
  readonly result?: never;
  readonly error?: never;
}

const settled = ({ result, error }: RawAnswer): Awaited<ReturnType<RawClientDispatch>> =>
  error === undefined ? { kind: 'result', result: result as never } : { kind: 'error', error };

function dispatchOverHttp({ url, token }: Where): RawClientDispatch {
  let count = 0;
  return async (request) => {
    const { method, params } = request as unknown as RawRequest;
    count += 1;
    const response = await fetch(url, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: `raw-${count}`, method, params }),
      headers: {
        ...bearer(token),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': MODERN,
        'mcp-method': method,
        'mcp-name': String(params.taskId ?? params.name),
      },
    });
    return settled((await response.json()) as RawAnswer);
  };
}

/** Sends requests on the same pipes as the client. */
function dispatchOverStdio(transport: StdioV2): RawClientDispatch {
  const waiting = new Map<string, (answer: RawAnswer) => void>();
  let count = 0;
  const { onmessage } = transport;
  transport.onmessage = (message) => {
    const { id } = message as RawAnswer;
    const resolve = typeof id === 'string' ? waiting.get(id) : undefined;
    if (resolve === undefined) onmessage?.(message);
    else resolve(message as RawAnswer);
  };
  return async (request) => {
    count += 1;
    const id = `raw-${count}`;
    const answer = new Promise<RawAnswer>((resolve) => waiting.set(id, resolve));
    await transport.send({ jsonrpc: '2.0', id, ...(request as unknown as RawRequest) });
    return settled(await answer);
  };
}

/** Real clients of both generations, over both transports. */
export const ASKED_CLIENTS: readonly (readonly [name: string, connect: (where: Where) => Promise<AskedClient>])[] = [
  ['SDK 1.32 over HTTP', (where) => sdkClient(new HttpV1(where.url, headersOf(where)))],
  [
    'ext-tasks of 2025 over HTTP',
    async (where) => {
      const client = elder();
      await client.connect(new HttpV2(where.url, headersOf(where)));
      return requester({ client, endpointId: where.url.href, dispatch: null });
    },
  ],
  [
    'ext-tasks of 2026 over HTTP',
    async (where) => {
      const client = newer();
      await client.connect(new HttpV2(where.url, headersOf(where)));
      return requester({ client, endpointId: where.url.href, dispatch: dispatchOverHttp(where) });
    },
  ],
  ['SDK 1.32 over stdio', (where) => sdkClient(new StdioV1(programOf(where)))],
  [
    'ext-tasks of 2025 over stdio',
    async (where) => {
      const client = elder();
      await client.connect(new StdioV2(programOf(where)));
      return requester({ client, endpointId: 'stdio', dispatch: null });
    },
  ],
  [
    'ext-tasks of 2026 over stdio',
    async (where) => {
      const client = newer();
      const transport = new StdioV2(programOf(where));
      await client.connect(transport);
      return requester({ client, endpointId: 'stdio', dispatch: dispatchOverStdio(transport) });
    },
  ],
];
