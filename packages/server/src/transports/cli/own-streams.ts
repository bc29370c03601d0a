import type { EarlyStreams } from '@errand/mcp/early';
import type { StdioOptions } from '@errand/mcp/stdio';
import { abortOnStop } from './stop-signal.ts';

type Stop = NonNullable<StdioOptions<unknown>['stop']>;

/** The streams of an MCP client whose first requests were answered before the program was loaded. */
export interface EarlyStart extends EarlyStreams {
  /** A stop signal may come before the program listens for it. */
  readonly stop: Stop;
}

type OwnStreams = Pick<EarlyStart, 'input' | 'output' | 'stop'>;

/** The streams of this process. A stop signal counts as the end of stdin: requests that were sent before are still answered. */
export function ownStreams(early: EarlyStart | null): OwnStreams {
  if (early !== null) return { input: early.input, output: early.output, stop: early.stop };
  return { input: process.stdin, output: process.stdout, stop: { signal: abortOnStop(), ends_input: false } };
}
