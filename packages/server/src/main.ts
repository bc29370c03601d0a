import { join } from 'node:path';
import { environment } from '#environment';
import { openEarly } from '#transports/cli/early-mcp';

// Imported this late because loading the program takes several times longer than an MCP client waits for its tools.
const early = await openEarly({
  words: process.argv.slice(2),
  env: environment(),
  built: join(import.meta.dirname, 'early'),
});
const { runCommandLine } = await import('./command-line.ts');
await runCommandLine(early);
