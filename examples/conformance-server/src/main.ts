import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { checkHost, checkOrigin, createGuard } from '../../../packages/server/src/transports/guard.ts';
import { createMcpHttp } from '../../../packages/server/src/transports/mcp/http.ts';
import { createFixtureHost } from './fixture-host.ts';
import { createMemorySessions } from './memory-sessions.ts';

const HOST = '127.0.0.1';

function createFixtureServer(): Server {
  const guard = createGuard({ host: HOST });
  const sessions = { store: createMemorySessions(), ownerOf: () => 'anyone' };
  const mcp = createMcpHttp(createFixtureHost(), { sessions, report: (error) => process.stderr.write(`${error}\n`) });

  return createServer((req, res) => {
    const { host, origin } = req.headers;
    if (!checkHost(guard, host) || !checkOrigin(guard, origin)) res.writeHead(403).end();
    else if (req.url === '/mcp') void mcp.handle(req, res, null);
    else res.writeHead(404).end();
  });
}

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
const server = createFixtureServer();
server.listen(Number(values.port), HOST, () => {
  // A server that listens on TCP has an address of this kind.
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://${HOST}:${port}/mcp\n`);
});
