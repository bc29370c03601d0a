import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWireCheck, type WireCheck } from './tasks-schemas.ts';

export interface Tap extends AsyncDisposable {
  readonly url: URL;
  readonly wire: WireCheck;
}

/**
 * Opens a proxy between one client and its servers that validates every message against the schemas. Each request goes
 * to the next server, as behind a round-robin balancer.
 */
export async function openTap(...targets: readonly [string, ...string[]]): Promise<Tap> {
  const wire = createWireCheck();
  let count = 0;
  const next = (): string => targets[count++ % targets.length] ?? targets[0];
  const server = createServer((req, res) => void pass(req, res, next(), wire));
  // A client that is about to use an idle connection must not find it closed: it would not repeat its request.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The cast: a server that listens on TCP has an AddressInfo.
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  return {
    url,
    wire,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function pass(req: IncomingMessage, res: ServerResponse, target: string, wire: WireCheck): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  if (body.length > 0) wire.sent(JSON.parse(body.toString()));

  const headers = { ...req.headers, host: new URL(target).host };
  // A connection of its own, for the same reason: the server closes idle ones.
  const onward = forward(target, { method: req.method, headers, agent: false }, (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    const read = readerOf(answer.headers['content-type'], wire);
    answer.on('data', (chunk: Buffer) => {
      read.more(chunk.toString());
      res.write(chunk);
    });
    answer.on('end', () => {
      read.end();
      res.end();
    });
    answer.on('error', () => res.destroy());
  });
  onward.on('error', () => res.destroy());
  res.on('close', () => onward.destroy());
  onward.end(body);
}

interface Reader {
  readonly more: (text: string) => void;
  readonly end: () => void;
}

/** Reads the messages of an answer: one document, or the lines of a stream as they arrive. */
function readerOf(type: string | undefined, wire: WireCheck): Reader {
  let text = '';
  if (type !== 'text/event-stream') {
    return { more: (chunk) => (text += chunk), end: () => text !== '' && wire.received(JSON.parse(text)) };
  }
  return {
    more: (chunk) => {
      const lines = (text + chunk).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        const data = line.startsWith('data: ') ? line.slice('data: '.length) : '';
        if (data !== '') wire.received(JSON.parse(data));
      }
    },
    end: () => undefined,
  };
}
