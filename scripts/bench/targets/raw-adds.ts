import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import process from 'node:process';
import type { Task } from './add-rows.ts';
import { listen } from './listen.ts';

/** Writes the rows of these tasks in one commit. Returns the answer to each. */
export type WriteTasks = (tasks: readonly Task[]) => Promise<readonly string[]>;

interface Waiting {
  readonly res: ServerResponse;
  readonly task: Task;
}

/**
 * Takes the requests of `add_task` with `node:http` alone, and writes all that wait in one commit: no token, no checks, no
 * rules. A message of the parent makes it write task by task for some seconds, without HTTP.
 */
export function serveAdds(write: WriteTasks): void {
  let queue: Waiting[] = [];
  let busy = false;

  async function writeAll(): Promise<void> {
    while (queue.length > 0) {
      const works = queue;
      queue = [];
      const texts = await write(works.map(({ task }) => task));
      for (const [i, { res }] of works.entries()) {
        const text = texts[i] ?? '';
        res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
        res.end(text);
      }
    }
    busy = false;
  }

  process.on('message', async ({ seconds }: { readonly seconds: number }) => {
    const started = performance.now();
    let writes = 0;
    for (; performance.now() < started + seconds * 1000; writes++) {
      const idempotency_key = randomUUID();
      await write([{ title: `Buy groceries ${idempotency_key}`, idempotency_key }]);
    }
    process.send?.({ per_second: (writes * 1000) / (performance.now() - started) });
  });

  listen(
    createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        if (!busy) {
          busy = true;
          setImmediate(writeAll);
        }
        // The bench sends no other bodies.
        const { params } = JSON.parse(Buffer.concat(chunks).toString()) as { params: { arguments: Task } };
        queue.push({ res, task: params.arguments });
      });
    }),
  );
}
