import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore,
} from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { listen } from './listen.ts';

// The SDK's own tasks, in memory, with one session for all clients: its fastest setup.
const server = new McpServer(
  { name: 'bench', version: '1.0.0' },
  {
    capabilities: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
    taskStore: new InMemoryTaskStore(),
    taskMessageQueue: new InMemoryTaskMessageQueue(),
  },
);
server.experimental.tasks.registerToolTask(
  'render',
  { description: 'Renders.', execution: { taskSupport: 'required' } },
  {
    createTask: async ({ taskStore }) => ({
      task: await taskStore.createTask({ ttl: 3_600_000, pollInterval: 1_000 }),
    }),
    getTask: async ({ taskId, taskStore }) => {
      const task = await taskStore.getTask(taskId);
      if (task === null) throw new Error('No task.');
      return task;
    },
    getTaskResult: async () => ({ content: [] }),
  },
);
const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID, enableJsonResponse: true });
// The cast: the SDK's transport leaves fields undefined, which its interface forbids under exact optional types.
await server.connect(transport as Transport);
listen(createServer((req, res) => void transport.handleRequest(req, res)));
