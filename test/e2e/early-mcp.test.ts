import { type ChildProcessWithoutNullStreams, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment, ERRAND, errandJson, temporaryFolder } from './program.ts';

const PING = { method: 'ping' };
const LIST = { method: 'tools/list' };
const LARGE = { method: 'unknown', params: { text: 'x'.repeat(1_000_000) } };
const initialize = (protocolVersion: string) => ({
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

interface How {
  readonly data: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Options of the Node that runs the launcher. */
  readonly node?: readonly string[];
}

const linesOf = (requests: readonly object[]): string =>
  requests.map((body, id) => `${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`).join('');

/** Returns the answers of `errand mcp` to these requests, in order, and its exit code. */
async function ask(requests: readonly object[] | string, { data, args = [], env = {}, node = [] }: How) {
  const child = spawn(execPath, [...node, ERRAND, 'mcp', '--data', data, ...args], { env: cleanEnvironment(env) });
  child.stdin.end(typeof requests === 'string' ? requests : linesOf(requests));
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const lines = stdout.split('\n').filter((line) => line !== '');
  const messages = lines.map((line) => JSON.parse(line) as { id?: number; result?: unknown; method?: string });
  return { messages, stderr, code: code as number };
}

/** Lets the launcher take its Node for one that is too old for the program, and find another one on the PATH. */
async function anOldNode(folder: string): Promise<Pick<How, 'node' | 'env'>> {
  const versions = "{ value: { ...process.versions, sqlite: '3.45.1' } }";
  await writeFile(join(folder, 'old.cjs'), `Object.defineProperty(process, 'versions', ${versions});`);
  await symlink(execPath, join(folder, 'node'));
  return { node: ['--require', join(folder, 'old.cjs')], env: { PATH: folder } };
}

/** Starts `errand mcp`, and kills it when it does not end. The cast: tests that give no pipes use none. */
async function startOn(
  which: string,
  data: string,
  stdio: StdioOptions = 'pipe',
): Promise<ChildProcessWithoutNullStreams> {
  const { node = [], env = {} } = which === 'this Node' ? {} : await anOldNode(data);
  const bound = { timeout: 120_000, killSignal: 'SIGKILL' } as const;
  return spawn(execPath, [...node, ERRAND, 'mcp', '--data', data], {
    env: cleanEnvironment(env),
    ...bound,
    stdio,
  }) as ChildProcessWithoutNullStreams;
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

        expect(early.messages, early.stderr).toHaveLength(requests.length);
        expect(late.messages, late.stderr).toHaveLength(requests.length + 1);
        expect(resultsOf(early.messages)).toEqual(resultsOf(late.messages).slice(1));
      }
    },
  );

  it('lists its tools on a Node that is too old for the program, before it starts another', async () => {
    await using folder = await temporaryFolder();
    const old = await anOldNode(folder.path);
    const failing = "const child = require('child_process'); const { spawn } = child;";
    await appendFile(
      join(folder.path, 'old.cjs'),
      `${failing} child.spawn = (node, _, how) => spawn(node, ['-e', 'process.exit(3)'], how);`,
    );

    const { messages, code } = await ask([initialize('2025-06-18'), LIST], { data: folder.path, ...old });

    expect(messages.map(({ id }) => id)).toEqual([0, 1]);
    expect(code).toBe(3);
  });

  it.each([
    ['requests of each kind', linesOf([initialize('2025-06-18'), { ...LIST, id: 'a' }, PING, { ...LIST, id: 'b' }])],
    ['no JSON first', `hello\n${linesOf([initialize('2025-11-25'), LIST])}`],
    ['a batch first', `[${linesOf([PING]).trim()}]\n${linesOf([initialize('2025-03-26'), LIST])}`],
    ['a line of 1 MB, and one without an end', linesOf([initialize('2025-06-18'), LARGE, PING]).trimEnd()],
  ])('answers alike on a Node that is too old for the program: %s', async (_, sent) => {
    await using folder = await temporaryFolder();
    const old = await anOldNode(folder.path);

    const [here, handedOver] = await Promise.all([
      ask(sent, { data: join(folder.path, 'here') }),
      ask(sent, { data: join(folder.path, 'handed-over'), ...old }),
    ]);

    const sorted = ({ messages }: typeof here) => messages.map((message) => JSON.stringify(message)).toSorted();
    expect(here.messages.length).toBeGreaterThan(2);
    expect(sorted(handedOver)).toEqual(sorted(here));
    expect(handedOver.code).toBe(0);
  });

  it.each(['this Node', 'a Node that is too old'])('ends with 0 when its input is empty: %s', async (which) => {
    await using folder = await temporaryFolder();

    // An empty file, not a pipe.
    const child = await startOn(which, folder.path, ['ignore', 'pipe', 'pipe']);

    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each(['this Node', 'a Node that is too old'])('answers what was sent before a stop signal: %s', async (which) => {
    await using folder = await temporaryFolder();
    const child = await startOn(which, folder.path);
    const ended = Promise.all([text(child.stdout), once(child, 'close')]);

    child.stdin.write(linesOf([initialize('2025-06-18'), LIST, PING, PING, PING]));
    await once(child.stdout, 'data');
    child.kill('SIGTERM');

    const [stdout, [code]] = await ended;
    expect(stdout.trim().split('\n')).toHaveLength(5);
    expect(code).toBe(0);
  });

  it.each(['this Node', 'a Node that is too old'])('ends when its output is closed: %s', async (which) => {
    await using folder = await temporaryFolder();
    const child = await startOn(which, folder.path);
    const ended = once(child, 'exit');
    child.stdin.on('error', () => undefined);

    child.stdin.write(linesOf([initialize('2025-06-18'), LIST]));
    await once(child.stdout, 'data');
    child.stdout.destroy();
    child.stdin.write(linesOf([PING, PING]));

    expect(await ended).toEqual([0, null]);
  });

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
