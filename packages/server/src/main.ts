import { join } from 'node:path';
import { environment } from '#environment';
import { type Handover, openEarly } from '#transports/cli/early-mcp';

// The launcher leaves it here when it answered an MCP client before it started this process.
const handover: Promise<Handover> | undefined = Reflect.get(globalThis, Symbol.for('errand.handover'));
// An MCP client waits less for its tools than the program takes to load: answer it first, and import the rest below.
const early = await openEarly(
  { words: process.argv.slice(2), env: environment(), built: join(import.meta.dirname, 'early') },
  handover,
);
const { runCommandLine } = await import('./command-line.ts');
await runCommandLine(early);
