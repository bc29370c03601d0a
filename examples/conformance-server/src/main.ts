import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { createMemorySessions, type McpHost } from '@errand/mcp';
import { checkHost, checkOrigin, createGuard, createMcpHttp } from '@errand/mcp/node';
import { serveStdio } from '@errand/mcp/stdio';
import { createFixtureHost } from './fixture-host.ts';
import { createFixtureTasks, openStore } from './fixture-tasks.ts';
import type { FixtureCaller } from './tools.ts';

const HOST = '127.0.0.1';
const BEARER = /^Bearer (\S+)$/;

const report = (error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
};

const callerOf = (authorization: string | undefined): FixtureCaller => BEARER.exec(authorization ?? '')?.[1] ?? null;

function createFixtureServer(host: McpHost<FixtureCaller>): Server {
  const guard = createGuard({ host: HOST });
  const sessions = createMemorySessions<FixtureCaller>();
  const mcp = createMcpHttp(host, { sessions, report });

  return createServer((req, res) => {
    const { host: name, origin, authorization } = req.headers;
    if (!checkHost(guard, name) || !checkOrigin(guard, origin)) res.writeHead(403).end();
    else if (req.url === '/mcp') void mcp.handle(req, res, { caller: callerOf(authorization) });
    else res.writeHead(404).end();
  });
}

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    store: { type: 'string', default: 'memory' },
    stdio: { type: 'boolean', default: false },
  },
});
const tasks = createFixtureTasks(await openStore(values.store), report);
const host = createFixtureHost(tasks);

if (values.stdio) {
  await serveStdio(host, { input: process.stdin, output: process.stdout, authenticate: async () => null, report });
  await tasks.close({ grace_ms: 0 });
} else {
  const server = createFixtureServer(host);
  server.listen(Number(values.port), HOST, () => {
    // A server that listens on TCP has an address of this kind.
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`http://${HOST}:${port}/mcp\n`);
  });
}
