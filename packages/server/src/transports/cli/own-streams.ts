import type { EarlyStreams } from './early-answers.ts';

/** The streams of this process. Told to stop, it ends as if the client had gone: running calls are answered. */
export function ownStreams(early: EarlyStreams | null): Pick<EarlyStreams, 'input' | 'output'> {
  const { input, output } = early ?? { input: process.stdin, output: process.stdout };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => input.destroy());
  return { input, output };
}
