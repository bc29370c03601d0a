import { parseArgs } from 'node:util';
import { listen } from '@errand/mcp/node';
import { serveStdio } from '@errand/mcp/stdio';
import { createFixtureServer } from './fixture-server.ts';
import { openStore } from './open-store.ts';

const BEARER = /^Bearer (\S+)$/;

const report = (error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
};

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    store: { type: 'string', default: 'memory' },
    stdio: { type: 'boolean', default: false },
  },
});
const server = createFixtureServer(await openStore(values.store), report);

if (values.stdio) {
  await serveStdio(server, { report });
  await server.task_runtime?.close({ grace_ms: 0 });
} else {
  const authenticate = ({ authorization = '' }) => BEARER.exec(authorization)?.[1] ?? null;
  const { url } = await listen(server, { port: Number(values.port), authenticate, report });
  process.stdout.write(`${url}\n`);
}
