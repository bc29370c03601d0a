import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Opens a proxy that can drop all data silently, like a firewall that has forgotten a connection. */
export async function aProxy(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      sockets.add(from);
      from.on('data', (chunk) => isOpen && to.write(chunk));
      from.on('close', () => isOpen && to.destroy());
      from.on('error', () => {});
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const through = new URL(url);
  // The cast: the server listens on TCP.
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: through.href,
    swallow: () => {
      isOpen = false;
    },
    /** Lets new connections through. Connections whose data was dropped stay dead. */
    letThrough: () => {
      for (const socket of sockets) socket.removeAllListeners('data').resume();
      sockets.clear();
      isOpen = true;
    },
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
