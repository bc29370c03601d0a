import { createServer } from 'node:http';
import { argv } from 'node:process';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { listTasks } from '../../../packages/server/src/tools/todo/list-tasks.ts';
import { listen } from './listen.ts';

// The same tool with its answer from memory: the SDK without a token and without a database.
const structuredContent = JSON.parse(argv[2] ?? '') as Record<string, unknown>;
const text = JSON.stringify(structuredContent);
const { name, title, description, input, output } = listTasks;

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  server.registerTool(name, { title, description, inputSchema: input, outputSchema: output }, async () => ({
    content: [{ type: 'text', text }],
    structuredContent,
  }));
  return server;
});

const handle = toNodeHandler(handler);
// The cast: its request type lacks `undefined`, which node's has under exact optional types.
listen(createServer((req, res) => void handle(req as Parameters<typeof handle>[0], res)));
