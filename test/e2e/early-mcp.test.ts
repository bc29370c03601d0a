import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment, ERRAND, errandJson, temporaryFolder } from './program.ts';

const PING = { method: 'ping' };
const LIST = { method: 'tools/list' };
const initialize = (protocolVersion: string) => ({
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Returns the answers of `errand mcp` to these requests, in order, and its exit code. */
async function ask(
  requests: readonly object[],
  { data, args = [], env = {} }: { data: string; args?: readonly string[]; env?: Readonly<Record<string, string>> },
) {
  const child = spawn(execPath, [ERRAND, 'mcp', '--data', data, ...args], { env: cleanEnvironment(env) });
  child.stdin.end(requests.map((body, id) => `${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`).join(''));
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const lines = stdout.split('\n').filter((line) => line !== '');
  const messages = lines.map((line) => JSON.parse(line) as { id?: number; result?: unknown; method?: string });
  return { messages, stderr, code: code as number };
}

const resultsOf = (messages: readonly { id?: number; result?: unknown }[]) =>
  messages.toSorted((a, b) => (a.id ?? 0) - (b.id ?? 0)).map(({ result }) => result);

describe('errand mcp', () => {
  it('lists its tools before it opens the database', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'errand.db'), 'no database');

    const { messages, code } = await ask([initialize('2025-06-18'), LIST], { data: folder.path });

    expect(messages.map(({ id }) => id)).toEqual([0, 1]);
    expect(messages[1]).toMatchObject({ result: { tools: expect.arrayContaining([expect.anything()]) } });
    expect(code).not.toBe(0);
  });

  it.each(['all', 'executions'])(
    'answers early, once, and as it would have answered later: profile %s',
    async (profile) => {
      await using folder = await temporaryFolder();
      const how = { data: folder.path, args: ['--profile', profile] };
      const clients = [
        ...['2025-03-26', '2025-11-25'].map((version) => [initialize(version), LIST]),
        [
          { method: 'server/discover', params: { _meta } },
          { method: 'tools/list', params: { _meta } },
        ],
      ];

      for (const requests of clients) {
        // The program itself answers a ping, and all requests after it.
        const [early, late] = await Promise.all([ask(requests, how), ask([PING, ...requests], how)]);

        expect(early.messages).toHaveLength(requests.length);
        expect(resultsOf(early.messages)).toEqual(resultsOf(late.messages).slice(1));
      }
    },
  );

  it('lists a token’s tools from the cache, and corrects them', async () => {
    await using folder = await temporaryFolder();
    const at = ['--data', folder.path];
    const { user_id } = await errandJson(['user', 'add', 'Anna', ...at]);
    const made = await errandJson([
      'token',
      'create',
      '--kind',
      'user',
      '--name',
      'a',
      '--user',
      String(user_id),
      '--scopes',
      'todo:read',
      ...at,
    ]);
    const how = { data: folder.path, env: { ERRAND_TOKEN: String(made.token) } };
    const requests = [initialize('2025-06-18'), LIST];

    const first = await ask(requests, how);
    const second = await ask(requests, how);
    await errandJson(['token', 'revoke', String(made.token_id), ...at]);
    const revoked = await ask([...requests, { method: 'tools/call', params: { name: 'todo_list_tasks' } }], how);
    const after = await ask(requests, how);

    expect(JSON.stringify(first.messages[1])).toContain('todo_list_tasks');
    expect(JSON.stringify(first.messages[1])).not.toContain('todo_add_task');
    expect(second.messages).toEqual(first.messages);
    expect(revoked.messages.slice(0, 2)).toEqual(first.messages);
    expect(revoked.messages[2]).toMatchObject({ id: 2, error: { message: expect.stringContaining('revoked') } });
    expect(after.messages[1]).not.toHaveProperty('result');
  });
});
