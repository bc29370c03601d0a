import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { type AuthInfo, createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { createTasks } from '#create-tasks';
import { RpcFailure } from '#rpc-failure';
import type { RequestorOf } from '#sdk/caller';
import { withTaskStreams } from '#sdk/with-task-streams';
import { withTasks } from '#sdk/with-tasks';
import { memoryStore } from '#stores/memory';
import type { TaskHandler, Tasks } from '#tasks';

const say = (text: string) => ({ content: [{ type: 'text', text }] });

const untilStopped = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

const CONFIRM = {
  method: 'elicitation/create',
  params: {
    message: 'Delete it?',
    requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] },
  },
} as const;

export const TOOLS: Readonly<Record<string, TaskHandler>> = {
  count: async ({ arguments: args, progress }) => {
    await progress(1, 2, 'halfway');
    return say(`counted to ${args.to}`);
  },
  endless: ({ signal }) => untilStopped(signal),
  confirm: async ({ requireInput }) => {
    const { action, content } = await requireInput('sure', CONFIRM);
    return say(`${action} ${JSON.stringify(content ?? null)}`);
  },
  failing: async () => ({ ...say('No such file.'), isError: true }),
  broken: async () => {
    throw new RpcFailure(-31_000, 'Out of paper.', { data: { tray: 2 } });
  },
  long: async () => say('done'),
};

/** Creates a server with the SDK as its users do, with some durable tools and one plain tool. */
export function createSdkServer(tasks: Tasks, requestorOf?: RequestorOf): McpServer {
  const server = new McpServer({ name: 'sdk-host', version: '1.0.0' });
  const run = withTasks(server, {
    tasks,
    ...(requestorOf && { requestorOf }),
    tools: { long: { task_support: 'required', immediate_response: 'This takes a while.' } },
  });
  const inputSchema = z.object({ to: z.number().default(3) });
  server.registerTool('count', { inputSchema }, (args, ctx) => run('count', args, ctx));
  for (const tool of ['endless', 'confirm', 'failing', 'broken', 'long']) {
    server.registerTool(tool, {}, (ctx) => run(tool, {}, ctx));
  }
  server.registerTool('greet', {}, async () => ({ content: [{ type: 'text', text: 'hello' }] }));
  return server;
}

export interface SdkHost extends AsyncDisposable {
  readonly url: URL;
  readonly tasks: Tasks;
}

/** Serves `createSdkServer` over HTTP. The bearer token is the name of the user. */
export async function openSdkHost(requestorOf?: RequestorOf): Promise<SdkHost> {
  const tasks = createTasks({ store: memoryStore(), tools: TOOLS, poll_interval_ms: 20 });
  const handler = withTaskStreams(
    createMcpHandler(() => createSdkServer(tasks, requestorOf)),
    { tasks, ...(requestorOf && { requestorOf }) },
  );
  const serve = toNodeHandler({
    fetch: (request, options) =>
      handler.fetch(request, { ...options, authInfo: authOf(request.headers.get('authorization')) }),
  });
  // The cast: the adapter's type requires a method, but in Node's types a request may have none.
  const http = createServer((req, res) => void serve(req as NodeIncomingMessageLike, res));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  // The cast: a server that listens on TCP has an AddressInfo.
  const { port } = http.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    tasks,
    [Symbol.asyncDispose]: async () => {
      await handler.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await tasks.close({ grace_ms: 0 });
    },
  };
}

const authOf = (header: string | null): AuthInfo => {
  const token = header?.replace('Bearer ', '') ?? 'nobody';
  return { token, clientId: 'tests', scopes: [], extra: { sub: token } };
};
