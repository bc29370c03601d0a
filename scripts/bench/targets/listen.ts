import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';

/** Listens on a free port and sends it to the parent. Ends with the parent. */
export function listen(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo; // a TCP server has no other kind of address
    process.send?.({ url: `http://127.0.0.1:${port}/mcp` });
  });
  process.on('disconnect', () => process.exit(0));
}
