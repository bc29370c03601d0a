import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  createApplicationInputHandler,
  createTaskSessionFromClient,
  type TaskEnabledSession,
  toolDeclarationFromMcpTool,
} from '@modelcontextprotocol/ext-tasks/client';
import { isObject } from '#json';
import { askModern, DECLARING_TASKS } from './modern-http.ts';

const CLIENT = { name: 'tests', version: '1' };

const onInputRequest = createApplicationInputHandler({
  elicitation: () => ({ action: 'accept', content: { sure: true } }),
  sampling: () => ({ model: 'none', role: 'assistant', content: { type: 'text', text: '' } }),
  roots: () => ({ roots: [] }),
});

export interface ExtTasksSession extends AsyncDisposable {
  readonly session: TaskEnabledSession;
}

/** Opens the client of the extension's own package, on the SDK 2 client. It accepts every question. */
export async function openExtTasksSession(url: URL, generation: '2025-11-25' | '2026-07-28'): Promise<ExtTasksSession> {
  const isModern = generation === '2026-07-28';
  const client = new Client(CLIENT, {
    capabilities: isModern ? DECLARING_TASKS : { elicitation: {} },
    ...(isModern && { versionNegotiation: { mode: { pin: generation } } }),
  });
  const requestInit = { headers: { Authorization: 'Bearer ann' } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  const { tools } = await client.listTools();
  const declarations = new Map(tools.map((tool) => [tool.name, toolDeclarationFromMcpTool(tool)]));

  const common = {
    endpointId: 'tests',
    onInputRequest,
    tools: { currentTool: (name: string) => declarations.get(name) },
  };
  const session = isModern
    ? createTaskSessionFromClient(client, {
        ...common,
        v2RequestFraming: { protocolVersion: generation, clientInfo: CLIENT, clientCapabilities: DECLARING_TASKS },
        rawDispatch: async (request, options) => {
          if (!isObject(request)) throw new TypeError('A request is an object.');
          const { method, params } = request;
          const { body } = await askModern(
            url,
            { method: String(method), params: isObject(params) ? params : {} },
            options,
          );
          // The cast: the answer came as JSON-RPC, which the package's types do not express.
          return (
            body.error === undefined ? { kind: 'result', result: body.result } : { kind: 'error', error: body.error }
          ) as never;
        },
      })
    : createTaskSessionFromClient(client, common);
  return {
    session,
    [Symbol.asyncDispose]: async () => {
      await session.close();
      await client.close();
    },
  };
}
