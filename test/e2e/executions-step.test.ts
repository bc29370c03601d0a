import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aStub } from '../../packages/server/src/clients/testing/stub-task-manager.ts';
import { adminToken } from './admin.ts';
import { CLOSED_PORT, managerAt } from './executions/manager-at.ts';
import { bearer, send, sendJson } from './http.ts';
import { cleanEnvironment, ERRAND, errand, placeFlags } from './program.ts';
import { openWorld, type World } from './world.ts';

const WHERE = 'TASK_MANAGER_HOST and TASK_MANAGER_PORT say where it is.';

type Variables = Readonly<Record<string, string>>;

let world: World;
let token: string;
let execution_id: string;
beforeAll(async () => {
  world = await openWorld('sqlite');
  token = await adminToken(world.place);
  const { text } = await sendJson(world.server.origin, '/api/executions', token, { name: 'a script' });
  execution_id = String((JSON.parse(text) as Record<string, unknown>).id);
});
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
});

/** Two ways to reach the same server: over HTTP, and through its database. */
const overHttp = (): Variables => ({
  ...managerAt(world.server.origin, token),
  NOVA_EXECUTION_ID: execution_id,
});
const here = (): Variables => ({ ERRAND_DATA: world.place.data, NOVA_EXECUTION_ID: execution_id });

const step = (args: readonly string[], variables: Variables) => errand(['step', ...args], variables);

async function stepsNamed(name: string): Promise<readonly Record<string, unknown>[]> {
  const path = `/api/executions/${execution_id}/steps`;
  const { text } = await send(world.server.origin, { method: 'GET', path, headers: bearer(token) });
  const { steps } = JSON.parse(text) as { steps: readonly Record<string, unknown>[] };
  return steps.filter(({ step_name }) => step_name === name);
}

describe.concurrent.each([
  ['to a Task Manager', overHttp],
  ['to the store of the machine', here],
])('errand step %s', (where, variables) => {
  const named = (name: string) => `${name} ${where}`;

  it('creates a step and prints its id alone', async () => {
    const name = named('create');

    const { code, stdout } = await step([name, '--message', 'at last'], variables());

    expect(code).toBe(0);
    expect(await stepsNamed(name)).toMatchObject([
      { step_id: stdout.trimEnd(), status: 'running', message: 'at last', source: 'script' },
    ]);
  });

  it('updates a step silently, and prints it as JSON on request', async () => {
    const name = named('update');
    const { stdout: step_id } = await step([name], variables());
    const update = ['--id', step_id.trimEnd(), '--status', 'skipped'];

    const plain = await step(update, variables());
    const json = await step([...update, '--json'], variables());

    expect(plain).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(JSON.parse(json.stdout)).toMatchObject({ step_id: step_id.trimEnd(), status: 'skipped' });
    expect(await stepsNamed(name)).toMatchObject([{ status: 'skipped' }]);
  });

  it('runs a command within a step', async () => {
    const name = named('run');

    const ended = await step([name, '--', execPath, '-p', '"--json"'], variables());

    expect(ended).toEqual({ code: 0, stdout: '--json\n', stderr: '' });
    expect(await stepsNamed(name)).toMatchObject([{ status: 'completed', message: null, source: 'script' }]);
  });

  it('keeps the exit code of a command that fails', async () => {
    const name = named('fail');

    const { code } = await step([name, '--', execPath, '-e', 'process.exit(3)'], variables());

    expect(code).toBe(3);
    expect(await stepsNamed(name)).toMatchObject([{ status: 'failed', message: 'exit 3' }]);
  });

  it('passes a signal on to the command', async () => {
    const name = named('signal');
    const program = 'console.log("ready"); setInterval(() => {}, 1000)';
    const child = spawn(execPath, [ERRAND, 'step', name, '--', execPath, '-e', program], {
      env: cleanEnvironment(variables()),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    await once(createInterface({ input: child.stdout }), 'line');

    child.kill('SIGTERM');

    expect(await ended).toEqual([143, null]);
    expect(await stepsNamed(name)).toMatchObject([{ status: 'failed', message: 'killed by SIGTERM' }]);
  });

  it('takes a text that begins with a dash under a flag', async () => {
    const name = named('-v');

    const { code, stdout } = await step(['--name', name], variables());

    expect(code).toBe(0);
    expect(await stepsNamed(name)).toMatchObject([{ step_id: stdout.trimEnd() }]);
  });

  it('explains how to get a step', async () => {
    const { code, stderr } = await step(['--id', 'none', '--status', 'completed'], variables());

    expect(code).toBe(4);
    expect(stderr).toMatch(/errand step "text" creates one and gives its id\.\n$/);
  });

  it('says what is not found', async () => {
    const { code, stdout, stderr } = await step(['lost', '--execution', 'none'], variables());

    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(/^errand: .+\n/);
  });

  it('refuses an unknown status', async () => {
    const { code, stderr } = await step(['odd', '--status', 'done'], variables());

    expect(code).toBe(2);
    expect(stderr).toContain('running, completed, failed, skipped');
    expect(await stepsNamed('odd')).toEqual([]);
  });
});

describe.concurrent('errand step', () => {
  it('needs a run to report to', async () => {
    const { code, stderr } = await step(['text'], { ...overHttp(), NOVA_EXECUTION_ID: '' });

    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'errand: No run to report to: give --execution, or set NOVA_EXECUTION_ID.\n',
    });
  });

  it.each(['.', '..'])('refuses the id %s, which no path could hold', async (id) => {
    const { code, stderr } = await step(['--id', id, '--status', 'completed'], overHttp());

    expect({ code, stderr }).toEqual({ code: 2, stderr: 'errand: Invalid --id. errand step "text" gives it.\n' });
  });

  it('says when a token does not work', async () => {
    const { code, stderr } = await step(['text'], { ...overHttp(), TASK_MANAGER_TOKEN: 'wrong' });

    expect(code).toBe(3);
    expect(stderr).toContain(' Set TASK_MANAGER_TOKEN to a token with the scope execution:report: errand agent create');
  });

  it('reports when no server answers', async () => {
    const port = CLOSED_PORT;

    const plain = await step(['text'], { ...overHttp(), TASK_MANAGER_PORT: String(port) });
    const json = await step(['text', '--json'], { ...overHttp(), TASK_MANAGER_PORT: String(port) });

    const message = `Connection failed to http://127.0.0.1:${port}`;
    expect(plain).toEqual({ code: 5, stdout: '', stderr: `errand: ${message}\n${WHERE}\n` });
    expect(json.code).toBe(5);
    expect(JSON.parse(json.stderr)).toMatchObject({
      error: { code: 'connection_failed', message, hint: WHERE, retryable: true },
    });
  });

  it('runs its command when no server answers, and keeps its exit code', async () => {
    const port = CLOSED_PORT;
    const command = ['--', execPath, '-e', 'console.log("done"); process.exit(7)'];

    const ended = await step(['text', ...command], { ...overHttp(), TASK_MANAGER_PORT: String(port) });

    expect(ended).toMatchObject({ code: 7, stdout: 'done\n' });
    expect(ended.stderr).toBe(
      `errand: the step is not reported: Connection failed to http://127.0.0.1:${port}. ${WHERE}\n`,
    );
  });

  it.each([
    ['without a run', ['text'], { NOVA_EXECUTION_ID: '' }, 'No run to report to: '],
    ['with an empty text', [''], {}, 'text must have 1 to 200 characters'],
    ['with more text than fits', ['x'.repeat(201)], {}, 'text must have 1 to 200 characters'],
    ['with more of a message than fits', ['m', '--message', 'x'.repeat(2_001)], {}, '--message must have at most 2000'],
    ['with an impossible port', ['text'], { TASK_MANAGER_PORT: 'x' }, 'TASK_MANAGER_PORT: got "x"'],
    ['with an impossible time', ['text'], { TASK_MANAGER_TIMEOUT: '-1' }, 'TASK_MANAGER_TIMEOUT: got "-1"'],
    ['with an impossible choice', ['text'], { USE_MOCK_CLIENT: 'maybe' }, 'USE_MOCK_CLIENT: got "maybe"'],
    ['with a token that does not work', ['text'], { TASK_MANAGER_TOKEN: 'wrong' }, 'A valid token is needed'],
  ])('runs its command %s, and says in a line why nothing is reported', async (_, args, variables, why) => {
    const command = ['--', execPath, '-e', 'console.log("done"); process.exit(7)'];

    const { code, stdout, stderr } = await step([...args, ...command], { ...overHttp(), ...variables });

    expect({ code, stdout }).toEqual({ code: 7, stdout: 'done\n' });
    expect(stderr).toMatch(/^errand: the step is not reported: .+\n$/);
    expect(stderr).toContain(why);
  });

  it('delays neither its command nor its caller when the Task Manager hangs', async () => {
    await using deaf = await aStub(() => {});
    const variables = { ...overHttp(), TASK_MANAGER_PORT: String(deaf.port), TASK_MANAGER_TIMEOUT: '600' };
    const command = ['--', execPath, '-e', 'console.error("command"); process.exit(7)'];

    const { code, stderr } = await step(['text', ...command], variables);

    expect(code).toBe(7);
    expect(stderr).toBe('command\nerrand: the step is not reported: no answer in time\n');
  });

  it('runs its command when the store cannot be opened', async () => {
    const { code, stdout, stderr } = await step(['text', '--', execPath, '-p', '1'], {
      ...here(),
      ERRAND_DATA: '/dev/null/nowhere',
    });

    expect({ code, stdout }).toEqual({ code: 0, stdout: '1\n' });
    expect(stderr).toContain('errand: the step is not reported: ');
  });

  it('reports a missing command', async () => {
    const { code, stderr } = await step(['text', '--', 'no-such-command-at-all'], overHttp());

    expect({ code, stderr }).toEqual({ code: 127, stderr: 'errand: no-such-command-at-all: not found\n' });
    expect(await stepsNamed('text')).toMatchObject([
      { status: 'failed', message: 'no-such-command-at-all: not found' },
    ]);
  });

  it.each([
    ['lies below a file', `${execPath}/x`],
    ['has too long a name', `/${'é'.repeat(5_000)}`],
  ])('says that a command cannot be run which %s', async (why, program) => {
    const { code, stderr } = await step([why, '--', program], overHttp());

    expect(code).toBe(126);
    expect(stderr).toMatch(/^errand: .{1,300}: cannot be run\n$/);
    expect(await stepsNamed(why)).toMatchObject([{ status: 'failed', message: stderr.slice('errand: '.length, -1) }]);
  });

  it.each([
    ['of two words', ['two', 'words'], 'put it in quotes'],
    ['with an empty command', ['empty', '--', ''], 'The command after -- is empty'],
    ['with dashes and no command', ['none', '--'], 'The command after -- is empty'],
    ['with a text and a name', ['twice', '--name', 'twice'], 'give one of them'],
    ['with more text than fits', ['x'.repeat(201)], 'text must have 1 to 200 characters'],
    ['with a command and a status', ['status', '--status', 'failed', '--', execPath], '--status'],
    ['with a command and an id', ['--id', 's1', '--', execPath], '--id'],
    ['with a command and no text', ['--', execPath], 'Say what the step does'],
    ['with more of a message than fits', ['long', '--message', 'x'.repeat(2_001)], '--message must have at most 2000'],
    ['with a command and --json', ['json', '--json', '--', execPath], '--json'],
  ])('is refused %s, before anything is reported', async (_, args, why) => {
    const ended = await step(args, overHttp());

    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(why);
    expect(await stepsNamed(String(args[0]))).toEqual([]);
  });

  it.each([
    ['--data', (place: string) => ['--data', place]],
    ['--database-url', (place: string) => ['--database-url', `sqlite:${place}/errand.db`]],
  ])('goes where %s says, whatever the environment says', async (flag, flags) => {
    const elsewhere = { ...overHttp(), TASK_MANAGER_PORT: String(CLOSED_PORT) };

    const { code, stdout } = await step([flag.slice(2), ...flags(world.place.data)], elsewhere);

    expect(code).toBe(0);
    expect(await stepsNamed(flag.slice(2))).toMatchObject([{ step_id: stdout.trimEnd() }]);
  });

  it('keeps steps in memory with the mock client', async () => {
    const variables = { HOME: '/dev/null', USE_MOCK_CLIENT: 'true', NOVA_EXECUTION_ID: 'any' };

    const { code, stderr } = await step(['text', '--', execPath, '-e', ''], variables);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('is documented in the help', async () => {
    const { stdout } = await errand(['step', '--help', ...placeFlags(world.place)]);

    expect(stdout).toContain('Usage: errand step [options] [text] [-- command args...]');
    expect(stdout).toContain('TASK_MANAGER_TOKEN');
  });
});
