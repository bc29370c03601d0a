import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { say } from '#advice';
import { ErrandError } from '#errors';
import type { HttpServer } from '#transports/http';

const MAX_TRIES = 50;

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

function refusal(host: string, port: number, error: unknown): unknown {
  const code = codeOf(error);
  if (code === 'EACCES')
    return new ErrandError('validation_error', `Port ${port} needs more rights. Choose one above 1023.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new ErrandError('validation_error', `This machine has no address ${host}. Try 127.0.0.1 or 0.0.0.0.`);
  }
  if (code === 'EADDRINUSE') return new ErrandError('conflict', `Port ${port} and those after it are taken.`);
  return error;
}

function givenRefusal(host: string, port: number, error: unknown): unknown {
  if (codeOf(error) !== 'EADDRINUSE') return refusal(host, port, error);
  return new ErrandError('validation_error', `Port ${port} is taken.`, {
    hint: say`Give another (--port or ${{ setting: 'ERRAND_PORT' }}), or none: then the next free one is used.`,
  });
}

/** Throws when nothing can listen there. Asked first: a server that cannot start must leave no data behind. */
export async function assertFree(host: string, port: number): Promise<void> {
  // A client that comes meanwhile would keep the port taken.
  const probe = createServer((socket) => socket.destroy());
  try {
    await once(probe.listen({ host, port, exclusive: true }), 'listening');
  } catch (error) {
    throw givenRefusal(host, port, error);
  }
  await new Promise((resolve) => probe.close(resolve));
}

/** Listens on exactly this port. */
export async function listenOn(server: HttpServer, host: string, port: number): Promise<AddressInfo> {
  try {
    return await server.listen(host, port);
  } catch (error) {
    throw givenRefusal(host, port, error);
  }
}

/** Listens on this port, or on the next free one. */
export async function listenNear(server: HttpServer, host: string, port: number): Promise<AddressInfo> {
  for (let tried = port; ; tried += 1) {
    try {
      return await server.listen(host, tried);
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE' || tried >= Math.min(port + MAX_TRIES, 65_535))
        throw refusal(host, port, error);
    }
  }
}
