import process from 'node:process';
import { createMcpServer, tool } from '@errand/mcp';
import { listen } from '@errand/mcp/node';
import * as z from 'zod';

// As in the README of the package, but without sessions for clients of 2025, since the other targets have none.
const add = tool({
  name: 'add',
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  run: ({ a, b }) => ({ sum: a + b }),
});

const server = createMcpServer({ name: 'bench', version: '1.0.0', tools: [add] });
const { url } = await listen(server, { sessions: null });
process.send?.({ url });
process.on('disconnect', () => process.exit(0));
