import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTasks } from '@errand/tasks';
import { openPostgresStore } from '@errand/tasks/postgres';
import { withTaskStreams, withTasks } from '@errand/tasks/sdk';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const CONFIRM = {
  method: 'elicitation/create',
  params: {
    message: 'Publish the report?',
    requestedSchema: { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] },
  },
} as const;

/** A server made with the official SDK, whose tasks outlive it. Any number of servers may share the database. */
export async function startServer(database_url: string) {
  const tasks = createTasks({
    store: await openPostgresStore({ url: database_url }),
    poll_interval_ms: 100,
    tools: {
      report: async ({ arguments: { pages }, progress, requireInput }) => {
        for (let page = 1; page <= Number(pages); page += 1) {
          await sleep(20);
          await progress(page, Number(pages));
        }
        const { action } = await requireInput('publish', CONFIRM);
        return { content: [{ type: 'text', text: `${pages} pages, ${action === 'accept' ? 'published' : 'kept'}` }] };
      },
    },
  });

  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'reports', version: '1.0.0' });
    const run = withTasks(server, { tasks });
    server.registerTool(
      'report',
      { description: 'Writes a report.', inputSchema: z.object({ pages: z.number().int().max(50) }) },
      (args, ctx) => run('report', args, ctx),
    );
    return server;
  });

  const { fetch, close } = withTaskStreams(handler, { tasks });
  const serve = toNodeHandler({
    fetch: (request, options) =>
      // In production: `verifyBearerToken` of the SDK, with a verifier that sets the subject in `extra.sub`.
      fetch(request, { ...options, authInfo: { token: '', clientId: 'demo', scopes: [], extra: { sub: 'ann' } } }),
  });
  const http = createServer((req, res) => void serve(req as Parameters<typeof serve>[0], res));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));

  return {
    // The cast: a server that listens on TCP has an AddressInfo.
    url: new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`),
    stop: async () => {
      await close();
      http.closeAllConnections();
      http.close();
      await tasks.close({ grace_ms: 100 });
    },
  };
}
