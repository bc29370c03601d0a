import { join } from 'node:path';
import { environment } from '#environment';
import { askRunning } from '#transports/cli/ask-running';
import { type Handover, openEarly } from '#transports/cli/early-mcp';
import { VERSION } from './version.ts';

const words = process.argv.slice(2);
// The launcher leaves it here when it answered an MCP client before it started this process.
const handover: Promise<Handover> | undefined = Reflect.get(globalThis, Symbol.for('errand.handover'));
// An MCP client waits less for its tools than the program takes to load: answer it first, and import the rest below.
const early = await openEarly({ words, env: environment(), built: join(import.meta.dirname, 'early') }, handover);
// A server that runs on the data has loaded the program and opened the database: it runs most commands.
const code = early === null ? await askRunning({ words, env: environment(), version: VERSION }) : null;
if (code === null) {
  const { runCommandLine } = await import('./command-line.ts');
  await runCommandLine(early);
} else process.exitCode = code;
