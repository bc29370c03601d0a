import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ERRAND = join(import.meta.dirname, '../../packages/server/bin/errand.cjs');
const SCOPES = 'todo:read,todo:write,board:read,board:write,board:run,execution:report';

export interface Product {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts `errand serve` with its own database, behind a proxy that adds a token: the runner cannot send one. */
export async function startProduct(): Promise<Product> {
  const data = await mkdtemp(join(tmpdir(), 'errand-conformance-data-'));
  const child = spawn(process.execPath, [ERRAND, 'serve', '--port', '0', '--data', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
    await rm(data, { recursive: true, force: true });
  };
  try {
    const origin = await announced(child.stdout);
    const proxy = await openProxy(origin, await createToken(data));
    return {
      url: proxy.url,
      stop: async () => {
        await proxy.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function announced(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    if (!line.startsWith('{"board"')) continue;
    output.resume();
    return new URL((JSON.parse(line) as { readonly mcp: string }).mcp).origin;
  }
  throw new Error('errand serve did not start.');
}

async function createToken(data: string): Promise<string> {
  const args = ['token', 'create', '--kind', 'user', '--name', 'conformance', '--scopes', SCOPES];
  const child = spawn(process.execPath, [ERRAND, ...args, '--data', data, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout) text += String(chunk);
  return (JSON.parse(text) as { readonly token: string }).token;
}

/** Opens a proxy that adds the token. It replaces its own address by the server's; other Hosts and Origins stay. */
async function openProxy(origin: string, token: string): Promise<{ url: string; close: () => Promise<void> }> {
  const target = new URL(origin);
  const server = createServer((req, res) => {
    const { port } = server.address() as AddressInfo; // It listens on TCP.
    const translate = (text: string | undefined): string | undefined =>
      text?.replace(new RegExp(`(?:localhost|127\\.0\\.0\\.1):${port}$`), target.host);
    const { host, origin: page } = req.headers;
    const headers = {
      ...req.headers,
      host: translate(host),
      ...(page !== undefined && { origin: translate(page) }),
      authorization: `Bearer ${token}`,
    };
    const onward = request(new URL(req.url ?? '/', target), { method: req.method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    res.on('close', () => onward.destroy());
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  return {
    url: `http://localhost:${port}/mcp`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
