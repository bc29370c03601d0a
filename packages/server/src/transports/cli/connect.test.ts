import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld } from '#testing/world';
import { CLIENTS, setupLines } from '#transports/clients';
import { type ConnectOptions, clientNamed, connect, listClients, serverAddress } from './connect.ts';
import { findClients } from './find-clients.ts';

const machine = { path: '' };

beforeEach(async () => {
  machine.path = await mkdtemp(join(tmpdir(), 'errand-path-'));
});
afterEach(() => rm(machine.path, { recursive: true, force: true }));

/** Puts a program on the PATH of the test's machine. */
async function install(command: string, script: string): Promise<void> {
  const file = join(machine.path, command);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}

/** A client that keeps the words it was run with. */
const installRecorder = (command: string, exit = 0): Promise<void> =>
  install(
    command,
    `[ "$1" = --version ] && exec echo 1.2.3\nprintf '%s\\n' "$@" > "${machine.path}/argv"\nexit ${exit}`,
  );

const appliedWords = async (): Promise<readonly string[]> =>
  (await readFile(join(machine.path, 'argv'), 'utf8')).trimEnd().split('\n');

async function aMachine() {
  const world = await createWorld();
  const printed: string[] = [];
  const io = { env: { PATH: machine.path }, print: (text: string) => printed.push(text) };
  const run = (name: string, options: Partial<ConnectOptions> = {}) =>
    connect({
      gateway: world.gateway,
      caller: world.owner,
      owner_id: world.installation.owner_id,
      inbox_id: world.installation.inbox_id,
      client: clientNamed(name),
      url: 'http://127.0.0.1:9',
      apply: false,
      json: false,
      ...io,
      ...options,
    });
  const tokens = async () => (await world.ask('admin_list_tokens', {})).tokens as readonly Record<string, unknown>[];
  return { world, run, io, printed, tokens, answer: () => JSON.parse(printed.at(-1) ?? '') as Record<string, unknown> };
}

describe('finding clients', () => {
  it('finds those on the PATH with their versions, in a fixed order', async () => {
    await install('gemini', 'echo 0.61.0');
    await install('claude', 'echo "2.1.325 (Claude Code)"');

    const found = await findClients({ PATH: machine.path });

    expect(found.map(({ title, version }) => [title, version])).toEqual([
      ['Claude Code', '2.1.325'],
      ['Gemini CLI', '0.61.0'],
    ]);
  });

  it('finds a client that does not say its version in time', async () => {
    await install('codex', 'exec /bin/sleep 30');

    const found = await findClients({ PATH: machine.path }, 100);

    expect(found.map(({ command, version }) => [command, version])).toEqual([['codex', null]]);
  });

  it('lists them with the next step', async () => {
    await install('codex', 'echo codex-cli 0.166.0');
    const { io, printed } = await aMachine();

    await listClients({ ...io, json: false });

    expect(printed).toEqual(['Found on this machine:\n  codex     Codex 0.166.0\nConnect one: errand connect codex']);
  });

  it('says what to do when there is none', async () => {
    const { io, printed, answer } = await aMachine();

    await listClients({ ...io, json: false });
    await listClients({ ...io, json: true });

    expect(printed[0]).toContain('Install one of them, or give any MCP client the address and a token');
    expect(answer()).toEqual({ clients: [] });
  });
});

describe('connecting a client', () => {
  it('makes an agent of its own whose token works and is limited to todo lists', async () => {
    const { world, run, answer, tokens } = await aMachine();

    const code = await run('codex', { json: true });

    const caller = await world.gateway.authenticate(answer().token as string);
    expect(code).toBe(0);
    expect([caller.kind, caller.user_id, [...caller.scopes]]).toEqual([
      'agent',
      world.installation.owner_id,
      ['todo:read', 'todo:write', 'board:read', 'board:write', 'execution:report'],
    ]);
    expect(await tokens()).toMatchObject([{ name: 'codex', agent_id: answer().agent_id }]);
  });

  it('prints the command with the real address and the token', async () => {
    const { run, printed } = await aMachine();

    await run('claude', { url: 'http://127.0.0.1:8099' });

    expect(printed[0]).toMatch(
      /claude mcp add --transport http errand http:\/\/127\.0\.0\.1:8099\/mcp --header "Authorization: Bearer errand_agent_\w+"/,
    );
  });

  it('says to start the server when none answers, and not when one does', async () => {
    const server = createServer((_req, res) => res.end('{"status":"ok"}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { run, printed } = await aMachine();

    // A server that listens on a port has an address of this form.
    await run('claude', { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    await run('claude');
    await new Promise((resolve) => server.close(resolve));

    expect(printed[0]).not.toContain('Start it');
    expect(printed[1]).toContain('No server answers at http://127.0.0.1:9 yet. Start it: errand');
  });

  it('hands the client its words as they are, without a shell', async () => {
    await installRecorder('claude');
    const { run } = await aMachine();

    const code = await run('claude', { apply: true, url: 'http://127.0.0.1:9/$(touch x);`id`' });

    const words = await appliedWords();
    expect(code).toBe(0);
    expect(words.slice(0, 6)).toEqual([
      'mcp',
      'add',
      '--transport',
      'http',
      'errand',
      'http://127.0.0.1:9/$(touch x);`id`/mcp',
    ]);
    expect(words.at(-1)).toMatch(/^Authorization: Bearer errand_agent_\w+$/);
  });

  it('keeps the token off the screen once the client has it, except where the client needs it at each start', async () => {
    await installRecorder('claude');
    await installRecorder('codex');
    const { run, printed } = await aMachine();

    await run('claude', { apply: true });
    await run('codex', { apply: true });

    expect(printed[0]).not.toContain('errand_agent_');
    expect(printed[1]).toMatch(/^ {2}ERRAND_TOKEN=errand_agent_\w+ codex$/m);
  });

  it('shows the command and fails when the client refuses it', async () => {
    await installRecorder('claude', 7);
    const { run, printed } = await aMachine();

    const code = await run('claude', { apply: true });

    expect(code).toBe(1);
    expect(printed[0]).toContain('claude ended with 7. Run it yourself:');
    expect(printed[0]).toContain('claude mcp add --transport http');
  });

  it('makes nothing when the client to set up is not there', async () => {
    const { run, tokens } = await aMachine();

    await expect(run('claude', { apply: true })).rejects.toMatchObject({ code: 'not_found' });

    expect(await tokens()).toEqual([]);
  });

  it('makes nothing for a caller who may not', async () => {
    const { world, run, tokens } = await aMachine();
    const caller = await world.callerWith({ scopes: ['todo:read'] });

    const code = await run('claude', { caller });

    expect(code).toBe(3);
    expect(await tokens()).toHaveLength(1);
  });

  it('names the clients that it knows to whoever asks for another', () => {
    expect(() => clientNamed('emacs')).toThrow('There is no client "emacs" that Errand knows.');
  });
});

describe('the address of a server', () => {
  it.each([
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
    ['https://tasks.example.com/errand//', 'https://tasks.example.com/errand'],
  ])('is taken from %s', (typed, address) => {
    expect(serverAddress(typed)).toBe(address);
  });

  it.each(['foo', 'localhost:8080', '', 'file:///etc/passwd', 'http://', 'http://a/?b=c', 'http://a/#b'])(
    'is not %j',
    (typed) => {
      expect(() => serverAddress(typed)).toThrow(expect.objectContaining({ code: 'validation_error' }));
    },
  );
});

describe('the commands of the clients', () => {
  const linesOf = (command: string) => setupLines(clientNamed(command).setup('URL/mcp', 'TOKEN'));

  const TRIED: readonly (readonly [string, readonly string[]])[] = [
    ['claude', ['claude mcp add --transport http errand URL/mcp --header "Authorization: Bearer TOKEN"']],
    ['codex', ['codex mcp add errand --url URL/mcp --bearer-token-env-var ERRAND_TOKEN', 'ERRAND_TOKEN=TOKEN codex']],
    ['gemini', ['gemini mcp add -s user -t http -H "Authorization: Bearer TOKEN" errand URL/mcp']],
    ['opencode', ['opencode mcp add errand --url URL/mcp --header "Authorization=Bearer TOKEN"']],
    ['qwen', ['qwen mcp add -t http -H "Authorization: Bearer TOKEN" errand URL/mcp']],
    ['copilot', ['copilot mcp add --transport http --header "Authorization: Bearer TOKEN" errand URL/mcp']],
    ['cline', ['cline mcp add errand URL/mcp --transport streamableHttp --header "Authorization: Bearer TOKEN" --yes']],
  ];

  it.each(TRIED)('spells the one of %s as it was tried', (command, lines) => {
    expect(linesOf(command)).toEqual(lines);
  });

  it('leaves out no client', () => {
    expect(TRIED.map(([command]) => command)).toEqual(CLIENTS.map(({ command }) => command));
  });
});
