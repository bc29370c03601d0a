import { spawn } from 'node:child_process';
import { env } from 'node:process';
import { createInterface } from 'node:readline';

const HELLO = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'scripted-acp', version: '1.0.0' },
};

/** The answer in a response, which may come as a stream of events. */
function readAnswer(text) {
  const data = text.startsWith('{') ? text : (text.match(/^data: (.*)$/m)?.[1] ?? '{}');
  const { result, error } = JSON.parse(data);
  return result ?? { isError: true, content: [{ type: 'text', text: JSON.stringify(error ?? text) }] };
}

function openHttp({ url, headers }) {
  const own = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  let sent = 0;
  return async (method, params) => {
    sent += 1;
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...own,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(method === 'initialize' ? {} : { 'mcp-protocol-version': HELLO.protocolVersion }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: sent, method, params }),
    });
    return readAnswer(await response.text());
  };
}

function openStdio({ command, args, env: variables }) {
  const own = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
  const child = spawn(command, args, { env: { ...env, ...own }, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => waiting.get(JSON.parse(line).id)?.(line));
  child.on('exit', () => {
    for (const resolve of waiting.values()) resolve('{"error":"the server has ended"}');
  });
  const ask = (method, params) =>
    new Promise((resolve) => {
      const id = waiting.size + 1;
      waiting.set(id, (line) => resolve(readAnswer(line)));
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  return { ask, close: () => child.kill() };
}

/** An MCP server as an ACP client names it: by address, or by the command that starts it. */
export async function openMcp(server) {
  const { ask, close } = server.type === 'http' ? { ask: openHttp(server), close: () => undefined } : openStdio(server);
  await ask('initialize', HELLO);
  return { callTool: (name, input) => ask('tools/call', { name, arguments: input }), close };
}
