import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import process, { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

/** Passes every piece on after the delay, in the order in which they came. */
function delayed(from: Socket, to: Socket, delay_ms: number): void {
  from.on('data', (piece) => void setTimeout(() => to.write(piece), delay_ms));
  from.on('close', () => void setTimeout(() => to.destroy(), delay_ms));
  from.on('error', () => {});
}

/** Opens a proxy that delays what is asked, and not the answers: a round trip takes that much longer. */
export async function openDelayProxy(url: string, delay_ms: number): Promise<string> {
  const { hostname, port } = new URL(url);
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: Number(port), host: hostname, noDelay: true });
    delayed(near, far, delay_ms);
    delayed(far, near, 0);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // The cast: the server listens on TCP.
  return Object.assign(new URL(url), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` }).href;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const [, , url = '', delay_ms = ''] = argv;
  process.send?.({ url: await openDelayProxy(url, Number(delay_ms)) });
}
