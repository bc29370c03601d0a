import { createServer } from 'node:http';
import { argv } from 'node:process';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { listTasks } from '../../../packages/server/src/tools/todo/list-tasks.ts';
import { listen } from './listen.ts';

// The same tool with its answer from memory, stateless like the SDK's example: a server and a transport per request.
const structuredContent = JSON.parse(argv[2] ?? '') as Record<string, unknown>;
const text = JSON.stringify(structuredContent);
const { name, title, description, input, output } = listTasks;

listen(
  createServer(async (req, res) => {
    const server = new McpServer({ name: 'bench', version: '1.0.0' });
    server.registerTool(name, { title, description, inputSchema: input, outputSchema: output }, async () => ({
      content: [{ type: 'text', text }],
      structuredContent,
    }));
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    res.on('close', () => {
      void transport.close();
      void server.close();
    });
    // The cast: its transport leaves `sessionId` undefined, which its interface forbids under exact optional types.
    await server.connect(transport as Transport);
    await transport.handleRequest(req, res);
  }),
);
