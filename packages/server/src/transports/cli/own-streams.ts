/** The streams of this process. Told to stop, it ends as if the client had gone: running calls are answered. */
export function ownStreams() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.stdin.destroy());
  return { input: process.stdin, output: process.stdout };
}
