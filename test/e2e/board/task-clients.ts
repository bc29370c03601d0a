import { execPath } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Arguments } from '../client.ts';
import { mcpPost } from '../drivers/mcp-http.ts';
import { rpc } from '../drivers/mcp-messages.ts';
import { bearer } from '../http.ts';
import { cleanEnvironment, ERRAND, placeFlags } from '../program.ts';
import type { Fields, Site } from './site.ts';

/** A task as its creator sees it. */
export interface TaskState {
  readonly status: string;
  readonly statusMessage?: string | undefined;
}

interface Following {
  /** Called with every state that is seen. */
  readonly seen?: (state: TaskState, cancel: () => Promise<void>) => Promise<void>;
  /** The answer to the agent's question. */
  readonly answer?: string;
}

interface Followed {
  readonly status: string;
  /** The answer of the call; empty for a cancelled task. */
  readonly result: Fields;
  readonly states: readonly TaskState[];
  readonly questions: readonly string[];
  /** The reported progress, in the generation that reports it. */
  readonly progress: readonly number[];
}

/** A client that calls tools as tasks. */
export interface TaskClient extends AsyncDisposable {
  readonly run: (tool: string, args: Arguments, following?: Following) => Promise<Followed>;
}

export interface TaskWay {
  readonly name: string;
  readonly tells_progress: boolean;
  readonly connect: (site: Site) => Promise<TaskClient>;
}

const ME = { name: 'errand-tests', version: '1.0.0' };

async function elderClient(transport: StdioClientTransport | StreamableHTTPClientTransport): Promise<TaskClient> {
  const client = new Client(ME, { capabilities: { elicitation: { form: {} } } });
  let asked: (question: string) => Promise<string> = async () => '';
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => ({
    action: 'accept',
    content: { answer: await asked(params.message) },
  }));
  // The cast: its transports leave `sessionId` undefined, which its interface forbids under exact optional types.
  await client.connect(transport as Parameters<Client['connect']>[0]);
  const { tasks } = client.experimental;

  return {
    run: async (name, args, { seen, answer = '' } = {}) => {
      const states: TaskState[] = [];
      const progress: number[] = [];
      const questions: string[] = [];
      let task_id = '';
      asked = async (question) => {
        questions.push(question);
        states.push(await tasks.getTask(task_id));
        return answer;
      };
      const stream = tasks.callToolStream({ name, arguments: { ...args } }, CallToolResultSchema, {
        task: {},
        onprogress: ({ progress: done }) => void progress.push(done),
      });
      for await (const message of stream) {
        if (message.type !== 'taskCreated' && message.type !== 'taskStatus') continue;
        const { task } = message;
        task_id = task.taskId;
        states.push(task);
        await seen?.(task, async () => void (await tasks.cancelTask(task_id)));
      }
      const { status } = await tasks.getTask(task_id);
      const result = status === 'cancelled' ? {} : await tasks.getTaskResult(task_id, CallToolResultSchema);
      return { status, result, states, progress, questions };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const NEW = '2026-07-28';
const CAPABILITIES = { elicitation: { form: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } };
const LOOK_EVERY_MS = 100;

interface NewTask extends Fields, TaskState {
  readonly taskId: string;
  readonly result?: Fields;
  readonly inputRequests?: Readonly<Record<string, { readonly params: { readonly message: string } }>>;
}

/** Makes a hand-written client of the 2026 generation. */
function newerClient({ origin, token }: Site): TaskClient {
  let last = 0;
  const ask = async (method: string, params: Arguments): Promise<NewTask> => {
    const { text } = await mcpPost(origin, '/mcp/board', token, NEW, rpc(NEW, ++last, method, params, CAPABILITIES));
    const { result, error } = JSON.parse(text) as { readonly result?: NewTask; readonly error?: unknown };
    if (result === undefined) throw new Error(`${method} failed: ${JSON.stringify(error)}`);
    return result;
  };

  return {
    run: async (name, args, { seen, answer = '' } = {}) => {
      const { taskId } = await ask('tools/call', { name, arguments: args });
      const states: TaskState[] = [];
      const questions: string[] = [];
      for (;;) {
        const { status, statusMessage, result = {}, inputRequests = {} } = await ask('tasks/get', { taskId });
        states.push({ status, statusMessage });
        await seen?.({ status, statusMessage }, async () => void (await ask('tasks/cancel', { taskId })));
        if (!['working', 'input_required'].includes(status)) return { status, result, states, questions, progress: [] };
        for (const [key, { params }] of Object.entries(inputRequests)) {
          questions.push(params.message);
          const response = { action: 'accept', content: { answer } };
          await ask('tasks/update', { taskId, inputResponses: { [key]: response } });
        }
        await pause(LOOK_EVERY_MS);
      }
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

const stdioTransport = ({ place, token }: Site): StdioClientTransport => {
  const environment = Object.entries(cleanEnvironment({ ERRAND_TOKEN: token }));
  return new StdioClientTransport({
    command: execPath,
    args: [ERRAND, 'mcp', '--profile', 'board', ...placeFlags(place)],
    env: Object.fromEntries(environment.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    stderr: 'ignore',
  });
};

export const TASK_WAYS: readonly TaskWay[] = [
  {
    name: 'MCP 2025-11-25 over HTTP',
    tells_progress: true,
    connect: ({ origin, token }) =>
      elderClient(
        new StreamableHTTPClientTransport(new URL('/mcp/board', origin), { requestInit: { headers: bearer(token) } }),
      ),
  },
  {
    name: 'MCP 2025-11-25 over stdio',
    tells_progress: true,
    connect: (site) => elderClient(stdioTransport(site)),
  },
  {
    name: 'MCP 2026-07-28 over HTTP',
    tells_progress: false,
    connect: async (site) => newerClient(site),
  },
];
