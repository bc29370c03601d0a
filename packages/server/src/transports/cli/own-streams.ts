import type { EarlyStreams } from '@errand/mcp/early';

/** The streams of an MCP client whose first requests were answered before the program was loaded. */
export interface EarlyStart extends EarlyStreams {
  /** Whether the process was asked to stop before the program could listen for that. */
  readonly isStopAsked: () => boolean;
}

export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The streams of this process. Told to stop, it ends as if the client had gone: running calls are answered. */
export function ownStreams(early: EarlyStart | null): Pick<EarlyStreams, 'input' | 'output'> {
  const { input, output } = early ?? { input: process.stdin, output: process.stdout };
  for (const signal of STOP_SIGNALS) process.once(signal, () => input.destroy());
  // Not at once: what the client has sent by now is read first.
  if (early?.isStopAsked()) setImmediate(() => input.destroy());
  return { input, output };
}
