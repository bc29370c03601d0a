import process from 'node:process';

/** Repeats the work for the time that the parent requests, and sends the count. Ends with the parent. */
export function answer(work: (seconds: number) => number | Promise<number>): void {
  process.on('message', async ({ seconds }: { readonly seconds: number }) => {
    const started = performance.now();
    const writes = await work(seconds);
    process.send?.({ per_second: (writes * 1000) / (performance.now() - started) });
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.({ ready: true });
}
