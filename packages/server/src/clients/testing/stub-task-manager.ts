import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createHttpTaskManager, type HttpAccess } from '#clients/http-task-manager';
import { TaskManagerError } from '#tools/task-manager';

/** A request as it was received. */
export interface ReceivedRequest {
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Answer = (socket: Socket, heard: ReceivedRequest) => void;

function headIn(head: string): Pick<ReceivedRequest, 'line' | 'headers'> {
  const [line = '', ...fields] = head.split('\r\n');
  const headers = fields.map((field) => /^([^:]+): (.*)$/.exec(field) ?? []);
  return { line, headers: Object.fromEntries(headers.map(([, name = '', value = '']) => [name.toLowerCase(), value])) };
}

function listen(socket: Socket, hear: (heard: ReceivedRequest) => void): void {
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
    const end = received.indexOf('\r\n\r\n');
    if (end === -1) return;
    const head = headIn(received.slice(0, end));
    const length = Number(head.headers['content-length'] ?? 0);
    if (received.length < end + 4 + length) return;
    const body = Buffer.from(received.slice(end + 4, end + 4 + length), 'latin1').toString();
    received = received.slice(end + 4 + length);
    hear({ ...head, body });
  });
}

/** A server that answers a connection as the test wants, byte by byte. */
export async function aStub(answer: Answer, at = 0) {
  const heard: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // The client may disconnect in the middle of an answer: many tests are about that.
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    listen(socket, (request) => {
      heard.push(request);
      answer(socket, request);
    });
  });
  server.listen(at, '127.0.0.1');
  await once(server, 'listening');
  // Safe: a server that listens on a port has an `AddressInfo`.
  const { port } = server.address() as AddressInfo;

  const close = async (): Promise<void> => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };

  return {
    heard,
    port,
    base_url: `http://127.0.0.1:${port}`,
    manager: (access: Partial<HttpAccess> = {}) =>
      createHttpTaskManager({ host: '127.0.0.1', port, timeout_s: 5, token: null, ...access }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Sends a complete answer. */
export const says =
  (status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Answer =>
  (socket) => {
    const fields = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} Said\r\n${lines.join('')}\r\n`);
    socket.write(body);
  };

export const saysJson = (status: number, body: unknown): Answer => says(status, JSON.stringify(body));

export async function failureOf(asked: Promise<unknown>): Promise<TaskManagerError> {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof TaskManagerError) return error;
  throw new Error(`no TaskManagerError: ${String(error)}`);
}
