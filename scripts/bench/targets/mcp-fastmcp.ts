import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import process, { argv } from 'node:process';
import { pathToFileURL } from 'node:url';

/** The part of fastmcp that is used here. It is installed only for the comparison. */
interface FastMcp {
  readonly addTool: (tool: object) => void;
  readonly start: (options: object) => Promise<void>;
}

interface Zod {
  readonly object: (shape: object) => unknown;
  readonly number: () => unknown;
}

const [, , folder = ''] = argv;
const packages = createRequire(join(folder, 'package.json'));
const load = async (name: string): Promise<unknown> => import(pathToFileURL(packages.resolve(name)).href);
const { FastMCP } = (await load('fastmcp')) as { FastMCP: new (options: object) => FastMcp };
const z = (await load('zod')) as Zod;

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const taken = createServer().listen(0, '127.0.0.1', () => {
      const { port } = taken.address() as AddressInfo; // It listens on TCP.
      taken.close(() => resolve(port));
    });
  });

// Disabled: it would write a line for each request, which the others do not.
const quiet = () => undefined;
const logger = { debug: quiet, error: quiet, info: quiet, log: quiet, warn: quiet };
const server = new FastMCP({ name: 'bench', version: '1.0.0', logger });
server.addTool({
  name: 'add',
  description: 'Adds two numbers.',
  parameters: z.object({ a: z.number(), b: z.number() }),
  outputSchema: z.object({ sum: z.number() }),
  execute: async ({ a, b }: { readonly a: number; readonly b: number }) => {
    const structuredContent = { sum: a + b };
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  },
});
const port = await freePort();
const httpStream = { port, host: '127.0.0.1', endpoint: '/mcp', stateless: true, enableJsonResponse: true };
await server.start({ transportType: 'httpStream', httpStream });
process.send?.({ url: `http://127.0.0.1:${port}/mcp` });
process.on('disconnect', () => process.exit(0));
