import { type IncomingMessage, request } from 'node:http';

/** Measures when each numbered step reached each listener. */
export interface Listeners extends Disposable {
  /** Milliseconds from `sentAt` until each listener got each step. */
  readonly delays: readonly number[];
}

const NUMBERED = /"step_name":"Step (\d+)"/g;

interface Listening {
  readonly origin: string;
  readonly token: string;
  readonly count: number;
  readonly sentAt: (step: number) => number;
}

const open = ({ origin, token }: Listening): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
    request(`${origin}/api/v1/events`, { agent: false, headers }, (incoming) => {
      if (incoming.statusCode === 200) return resolve(incoming);
      reject(new Error(`A listener was answered ${incoming.statusCode}.`));
    })
      .on('error', reject)
      .end();
  });

/** Opens the listeners. Resolves when each has its position: from then on it gets every change. */
export async function openListeners(listening: Listening): Promise<Listeners> {
  const delays: number[] = [];
  const streams = await Promise.all(Array.from({ length: listening.count }, () => open(listening)));
  const placed = streams.map(
    (stream) =>
      new Promise<void>((resolve) => {
        let rest = '';
        stream.setEncoding('utf8');
        stream.on('error', () => {});
        stream.on('data', (chunk: string) => {
          resolve();
          const now = performance.now();
          const end = chunk.lastIndexOf('\n') + 1;
          const whole = rest + chunk.slice(0, end);
          rest = end === 0 ? rest + chunk : chunk.slice(end);
          for (const [, number] of whole.matchAll(NUMBERED)) delays.push(now - listening.sentAt(Number(number)));
        });
      }),
  );
  await Promise.all(placed);
  return {
    delays,
    [Symbol.dispose]: () => {
      for (const stream of streams) stream.destroy();
    },
  };
}
