import type { EarlyStreams } from '@errand/mcp/early';

/** The streams of an MCP client whose first requests were answered before the program was loaded. */
export interface EarlyStart extends EarlyStreams {
  /** Whether a stop signal came before the program could listen for it. */
  readonly isStopAsked: () => boolean;
}

export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The streams of this process. A stop signal counts as the end of stdin: running calls are still answered. */
export function ownStreams(early: EarlyStart | null): Pick<EarlyStreams, 'input' | 'output'> {
  const { input, output } = early ?? { input: process.stdin, output: process.stdout };
  for (const signal of STOP_SIGNALS) process.once(signal, () => input.destroy());
  // Not at once: requests that the client has already sent are read first.
  if (early?.isStopAsked()) setImmediate(() => input.destroy());
  return { input, output };
}
