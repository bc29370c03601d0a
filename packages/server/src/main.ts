import { join } from 'node:path';
import { environment } from '#environment';
import { openEarly } from '#transports/cli/early-mcp';

// An MCP client waits less for its tools than the program takes to load: answer it first, and import the rest below.
const early = await openEarly({
  words: process.argv.slice(2),
  env: environment(),
  built: join(import.meta.dirname, 'early'),
});
const { runCommandLine } = await import('./command-line.ts');
await runCommandLine(early);
