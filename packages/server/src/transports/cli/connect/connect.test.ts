import { chmod, lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld } from '#testing/world';
import { EVERYDAY_SCOPES } from '#transports/cli/everyday-scopes';
import { localCalls } from '#transports/cli/local-calls';
import { type Connection, type ConnectOptions, clientNamed, connect, modeOf } from './connect.ts';

const home = { path: '' };
const inHome = (...parts: readonly string[]): string => join(home.path, ...parts);
const machine = () => ({ home: home.path, env: { PATH: inHome('bin') }, platform: 'linux' });

beforeEach(async () => {
  home.path = await mkdtemp(join(tmpdir(), 'errand-home-'));
  await mkdir(inHome('bin'));
});
afterEach(() => rm(home.path, { recursive: true, force: true }));

/** Puts a program on the PATH of the test machine. */
async function install(command: string, script: string): Promise<void> {
  await writeFile(inHome('bin', command), `#!/bin/sh\n${script}\n`);
  await chmod(inHome('bin', command), 0o755);
}

/** Installs a client that records each command line, and refuses a second entry until the first is removed. */
const installClient = (command: string): Promise<void> =>
  install(
    command,
    [
      '[ "$1" = --version ] && exec echo 1.2.3',
      `printf '%s\\n' "$*" >> "${home.path}/argv"`,
      `[ "$2" = remove ] && exec /bin/rm "${home.path}/entry"`,
      `[ -e "${home.path}/entry" ] && echo already exists && exit 1`,
      `: > "${home.path}/entry"`,
    ].join('\n'),
  );

const appliedLines = async (): Promise<readonly string[]> =>
  (await readFile(inHome('argv'), 'utf8')).trimEnd().split('\n');

async function writeInHome(path: string, text: string): Promise<string> {
  await mkdir(dirname(inHome(path)), { recursive: true });
  await writeFile(inHome(path), text);
  return inHome(path);
}

async function aMachine() {
  const world = await createWorld();
  const printed: string[] = [];
  const run = (name: string, mode: ConnectOptions['mode'], options: Partial<Connection> = {}) =>
    connect({
      calls: localCalls(world.gateway, world.owner),
      owner_id: world.installation.owner_id,
      client: clientNamed(name),
      url: 'http://127.0.0.1:9',
      mode,
      projects: null,
      machine: 'laptop',
      place: { ...machine(), project_folder: null },
      json: false,
      print: (text: string) => printed.push(text),
      ...options,
    });
  const agents = async () => (await world.ask('admin_list_agents', {})).agents as readonly Record<string, unknown>[];
  const grantsOf = async (agent_id: unknown) =>
    ((await world.ask('admin_show_agent', { agent_id })).grants as readonly { project_name: string }[]).map(
      ({ project_name }) => project_name,
    );
  const answer = () => JSON.parse(printed.at(-1) ?? '') as Record<string, unknown>;
  return { world, run, printed, agents, grantsOf, answer };
}

describe('connecting a client', () => {
  it('changes nothing without --apply', async () => {
    await installClient('claude');
    const { run, printed, agents } = await aMachine();

    const code = await run('claude', 'show');

    expect(code).toBe(0);
    expect(printed[0]).toContain('Nothing has been changed.\nDo it:                    errand connect claude --apply');
    expect(printed[0]).toContain('--header "Authorization: Bearer TOKEN"');
    expect(await agents()).toEqual([]);
    await expect(stat(inHome('argv'))).rejects.toThrow('ENOENT');
  });

  it('does not advise --apply when the client is not installed', async () => {
    const { run, printed } = await aMachine();

    const code = await run('claude', 'show');

    expect(code).toBe(0);
    expect(printed[0]).toContain('Claude Code is not on this machine (no claude on the PATH), so --apply would fail.');
    expect(printed[0]).toContain('errand connect claude --print');
    expect(printed[0]).not.toContain('errand connect claude --apply');
  });

  it('adds Claude Code for every folder, and replaces the entry when it is connected again', async () => {
    await installClient('claude');
    const { run, agents } = await aMachine();

    expect([await run('claude', 'apply'), await run('claude', 'apply')]).toEqual([0, 0]);

    const lines = (await appliedLines()).map((line) => line.replace(/errand_agent_\w+/, 'TOKEN'));
    const add = 'mcp add -s user --transport http errand http://127.0.0.1:9/mcp --header Authorization: Bearer TOKEN';
    expect(lines).toEqual([add, add, 'mcp remove -s user errand', add]);
    expect((await agents()).map(({ name }) => name)).toEqual(['claude on laptop']);
  });

  it('passes the words to the client unchanged, without a shell', async () => {
    await installClient('claude');
    const { run } = await aMachine();

    await run('claude', 'apply', { url: 'http://127.0.0.1:9/$(touch x);`id`' });

    expect((await appliedLines())[0]).toContain('errand http://127.0.0.1:9/$(touch x);`id`/mcp --header');
  });

  it('has one agent per client and machine, whose newest token works', async () => {
    const { world, run, agents, answer } = await aMachine();

    await run('codex', 'print', { json: true });
    const first = answer();
    await run('codex', 'print', { json: true });
    await run('codex', 'print', { json: true, machine: 'desktop' });

    const caller = await world.gateway.authenticate(answer().token as string);
    expect([caller.kind, caller.user_id]).toEqual(['agent', world.installation.owner_id]);
    expect(first.token).not.toBe(answer().token);
    expect((await agents()).map(({ name }) => name)).toEqual(['codex on laptop', 'codex on desktop']);
  });

  it('grants every existing project, and says so, or the named ones', async () => {
    const { world, run, printed, grantsOf, answer } = await aMachine();
    await world.ask('admin_add_project', { name: 'Website' });
    await world.ask('admin_add_project', { name: 'Shop' });
    await world.addUser('Ana');

    await run('codex', 'print');
    await run('codex', 'print', { json: true });
    const all = await grantsOf(answer().agent_id);
    await run('codex', 'print', { json: true, projects: ['website'] });
    const some = await grantsOf(answer().agent_id);

    expect(printed[0]).toContain(
      'It reaches Inbox, Website, Shop (every project that exists now; name some with --project to give it fewer).',
    );
    expect([all, some]).toEqual([['Inbox', 'Website', 'Shop'], ['Website']]);
    await expect(run('codex', 'print', { projects: ['Wiki'] })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('says to start the server only when no server answers', async () => {
    const server = createServer((_req, res) => res.end('{"status":"ok"}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { run, printed } = await aMachine();

    // A server that listens on a port has an `AddressInfo`.
    await run('claude', 'show', { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    await run('claude', 'show');
    await new Promise((resolve) => server.close(resolve));

    expect(printed[0]).not.toContain('Start it');
    expect(printed[1]).toContain('No server answers at http://127.0.0.1:9 yet. Start it: errand');
  });

  it('does not print the token when the client has it', async () => {
    await installClient('claude');
    const { run, printed, answer } = await aMachine();

    await run('claude', 'apply');
    await run('claude', 'apply', { json: true });

    expect(printed[0]).not.toContain('errand_agent_');
    expect(answer()).toMatchObject({ client: 'claude', applied: true, path: null });
    expect(answer()).not.toHaveProperty('token');
  });

  it('shows the command and fails when the client refuses it', async () => {
    await install('claude', '[ "$1" = --version ] && exec echo 1.2.3\necho no such flag\nexit 7');
    const { run, printed } = await aMachine();

    const code = await run('claude', 'apply');

    expect(code).toBe(1);
    expect(printed[0]).toMatch(
      /^no such flag\nclaude ended with 7, so Claude Code does not know Errand\. Run it yourself:/,
    );
    expect(printed[0]).toContain('claude mcp add -s user --transport http');
  });

  it('creates nothing when the client is not installed, and nothing for a caller without the right', async () => {
    const { world, run, agents } = await aMachine();
    const caller = await world.callerWith({ scopes: ['todo:read'] });

    await expect(run('claude', 'apply')).rejects.toMatchObject({ code: 'not_found' });
    const code = await run('claude', 'print', { calls: localCalls(world.gateway, caller) });

    expect(code).toBe(3);
    expect(await agents()).toEqual([]);
  });

  it('makes the agent for the person whose token is sent, when the server is elsewhere', async () => {
    const { world, run, agents } = await aMachine();
    const user_id = await world.addUser('Ana');
    const caller = await world.callerWith({ scopes: ['admin', ...EVERYDAY_SCOPES], user_id });
    const calls = localCalls(world.gateway, caller);

    const codes = [
      await run('claude', 'print', { calls, owner_id: null }),
      await run('claude', 'print', { calls, owner_id: null }),
    ];

    expect(codes).toEqual([0, 0]);
    expect(await agents()).toMatchObject([{ name: 'claude on laptop', owner_id: user_id }]);
  });

  it('lists the known clients when an unknown one is named', () => {
    expect(() => clientNamed('emacs')).toThrow('There is no client "emacs" that Errand knows.');
  });

  it('accepts one of --apply, --print and --undo, and --project-file for VS Code only', () => {
    const claude = clientNamed('claude');

    expect(modeOf(claude, { projectFile: false })).toBe('show');
    expect(modeOf(claude, { undo: true, projectFile: false })).toBe('undo');
    expect(() => modeOf(claude, { apply: true, undo: true, projectFile: false })).toThrow('Give one of');
    expect(() => modeOf(claude, { apply: true, projectFile: true })).toThrow('--project-file is for vscode');
  });
});

describe('the configuration file of a client', () => {
  const CODEX = '.codex/config.toml';

  it('gets the header, and keeps its comments, its mode and its link', async () => {
    await install('codex', 'echo 0.166.0');
    const real = await writeInHome('dotfiles/codex.toml', '# mine\nmodel = "x"\n\n[mcp_servers.other]\nurl = "o"\n');
    await chmod(real, 0o640);
    await mkdir(inHome('.codex'));
    await symlink(real, inHome(CODEX));
    const { run, printed } = await aMachine();

    await run('codex', 'apply');
    await run('codex', 'apply');

    const text = await readFile(real, 'utf8');
    expect(text.replace(/errand_agent_\w+/, 'TOKEN')).toBe(
      [
        '# mine',
        'model = "x"',
        '',
        '[mcp_servers.other]',
        'url = "o"',
        '',
        '[mcp_servers.errand]',
        'url = "http://127.0.0.1:9/mcp"',
        'http_headers = { Authorization = "Bearer TOKEN" }',
        'required = true',
        'startup_timeout_sec = 30',
        '',
      ].join('\n'),
    );
    expect((await lstat(inHome(CODEX))).isSymbolicLink()).toBe(true);
    expect((await stat(real)).mode & 0o777).toBe(0o640);
    expect(printed[0]).toContain(`Others on this machine can read the token: chmod 600 ${inHome(CODEX)}`);
    expect(await readFile(inHome(`${CODEX}.before-errand`), 'utf8')).toContain('# mine\nmodel = "x"');
  });

  it('is created for its owner only when there is none', async () => {
    await install('codex', 'echo 0.166.0');
    const { run, printed } = await aMachine();

    await run('codex', 'apply');

    expect((await stat(inHome(CODEX))).mode & 0o777).toBe(0o600);
    expect(printed[0]).not.toContain('chmod');
  });

  it.each([
    ['codex', CODEX, 'x = ['],
    ['cursor', '.cursor/mcp.json', '{"mcpServers": '],
    ['vscode', '.config/Code/User/mcp.json', '{"servers": []}'],
    ['opencode', '.config/opencode/opencode.json', 'nothing'],
  ])('of %s is refused with its path, and nothing is created, when it cannot be read', async (client, path, text) => {
    await install(clientNamed(client).command, 'echo 1.2.3');
    await writeInHome(path, text);
    const { run, agents } = await aMachine();

    await expect(run(client, 'apply')).rejects.toThrow(`${inHome(path)} cannot be read at line 1`);

    expect(await readFile(inHome(path), 'utf8')).toBe(text);
    expect(await agents()).toEqual([]);
  });

  it('is refused when the client cannot read it, and restored when the client cannot read it after the change', async () => {
    await install('codex', `[ "$2" = list ] && [ -e "${home.path}/broken" ] && echo bad value && exit 1\nexit 0`);
    await writeInHome(CODEX, 'model = 1\n');
    const { run, agents } = await aMachine();

    await writeInHome('broken', '');
    await expect(run('codex', 'apply')).rejects.toMatchObject({ code: 'validation_error', hint: 'bad value' });
    expect(await agents()).toEqual([]);

    await rm(inHome('broken'));
    await install('codex', `/bin/grep -q mcp_servers "${inHome(CODEX)}" && echo bad value && exit 1\nexit 0`);
    await expect(run('codex', 'apply')).rejects.toMatchObject({ hint: 'bad value' });
    expect(await readFile(inHome(CODEX), 'utf8')).toBe('model = 1\n');
  });

  it('of an editor gets the entry beside the others', async () => {
    await writeInHome('.cursor/mcp.json', '{\n  // mine\n  "mcpServers": { "other": { "url": "o" } }\n}\n');
    await mkdir(inHome('.config/Code/User'), { recursive: true });
    await install('opencode', 'echo 1.2.3');
    const { run } = await aMachine();

    for (const client of ['cursor', 'vscode', 'opencode']) await run(client, 'apply');

    const headers = { Authorization: expect.stringMatching(/^Bearer errand_agent_\w+$/) };
    const url = 'http://127.0.0.1:9/mcp';
    const cursor = await readFile(inHome('.cursor/mcp.json'), 'utf8');
    expect(cursor).toContain('// mine');
    expect(JSON.parse(cursor.replace('// mine', ''))).toEqual({
      mcpServers: { other: { url: 'o' }, errand: { type: 'http', url, headers } },
    });
    expect(JSON.parse(await readFile(inHome('.config/Code/User/mcp.json'), 'utf8'))).toEqual({
      servers: { errand: { type: 'http', url, headers } },
    });
    expect(JSON.parse(await readFile(inHome('.config/opencode/opencode.jsonc'), 'utf8'))).toEqual({
      mcp: { errand: { type: 'remote', url, headers } },
    });
  });

  it('of a project holds no token: VS Code asks for it', async () => {
    await mkdir(inHome('.config/Code/User'), { recursive: true });
    const { run, printed } = await aMachine();
    const place = { ...machine(), project_folder: inHome('project') };

    await run('vscode', 'apply', { place });

    const path = inHome('project/.vscode/mcp.json');
    const file = JSON.parse(await readFile(path, 'utf8'));
    expect(file.servers.errand.headers).toEqual({ Authorization: `Bearer \${input:${file.inputs[0].id}}` });
    expect(printed[0]).toMatch(/VS Code will ask for the token, which is shown this once: errand_agent_\w+/);
    await run('vscode', 'undo', { place });
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ servers: {}, inputs: [] });
  });
});

describe('undoing a connection', () => {
  it('removes the entry from the file, and revokes the tokens of the agent', async () => {
    await install('codex', 'echo 0.166.0');
    const path = await writeInHome('.codex/config.toml', '# mine\nmodel = "x"\n');
    const { run, printed, agents } = await aMachine();

    await run('codex', 'apply');
    await run('codex', 'undo');
    await run('codex', 'undo');

    expect(await readFile(path, 'utf8')).toBe('# mine\nmodel = "x"\n');
    expect(await agents()).toMatchObject([{ name: 'codex on laptop', status: 'no_live_token' }]);
    expect(printed[1]).toBe(
      'Codex no longer knows Errand.\nThe agent "codex on laptop" is revoked: 1 of its tokens worked until now.',
    );
    expect(printed[2]).toContain('Codex had no entry for Errand.');
  });

  it('has the client remove its entry', async () => {
    await installClient('copilot');
    const { run, printed } = await aMachine();

    await run('copilot', 'apply');
    await run('copilot', 'undo');
    await run('claude', 'undo');

    expect((await appliedLines()).at(-1)).toBe('mcp remove errand');
    expect(printed[1]).toContain('Copilot CLI no longer knows Errand.');
    expect(printed[2]).toBe(
      'Claude Code is not on this machine: no entry was looked for.\nThere is no agent "claude on laptop".',
    );
  });

  it('is followed by another connection of the same agent', async () => {
    await installClient('copilot');
    const { run, agents, printed } = await aMachine();

    for (const mode of ['apply', 'undo', 'show', 'apply'] as const) expect(await run('copilot', mode)).toBe(0);

    expect(printed[2]).toContain('"copilot on laptop", which is not connected now and would get a new token.');
    expect(await agents()).toMatchObject([{ name: 'copilot on laptop', status: 'active', live_tokens: 1 }]);
  });
});
