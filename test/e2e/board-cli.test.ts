import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanEnvironment, ERRAND, errand, errandJson, type Server, serve, temporaryFolder } from './program.ts';

const run = promisify(execFile);

const agentAt = (name: string): readonly string[] => [execPath, join(import.meta.dirname, 'board-agents', name)];

const EXECUTORS = {
  scripted: { kind: 'command', command: agentAt('command-agent.mjs') },
  asking: { kind: 'acp', command: agentAt('acp-agent.mjs') },
};

const open = new AsyncDisposableStack();
let server: Server;
let data: string;
let repository: string;

const git = async (...args: string[]): Promise<string> => (await run('git', ['-C', repository, ...args])).stdout;

beforeAll(async () => {
  const folder = open.use(await temporaryFolder());
  data = join(folder.path, 'data');
  repository = join(folder.path, 'shop');
  await mkdir(data);
  await writeFile(join(data, 'config.json'), JSON.stringify({ executors: EXECUTORS, runner: { max_runs: 10 } }));
  await mkdir(repository);
  await git('init', '--quiet', '--initial-branch=main');
  await writeFile(join(repository, 'README.md'), '# Shop\n');
  await git('add', '--all');
  await git('-c', 'user.name=Ana', '-c', 'user.email=ana@localhost', 'commit', '--quiet', '--message=First');
  server = open.use(await serve({ data }));
  const { project_id } = await errandJson(['project', 'add', 'Shop', '--data', data]);
  await errandJson(['repo', 'add', repository, '--project', String(project_id), '--data', data]);
});
afterAll(() => open.disposeAsync());

const type = (...words: string[]) => errand([...words, '--data', data]);

/** Starts the scripted agent with these instructions, without waiting for it. */
async function started(executor: keyof typeof EXECUTORS, ...lines: string[]): Promise<string> {
  const task = ['--title', 'Greet', '--executor', executor, '--prompt', lines.join('\n')];
  const { attempt_id } = await errandJson(['run', ...task, '--data', data]);
  return String(attempt_id);
}

/** Runs `errand watch`, and collects its lines as they arrive. */
function watch(attempt_id: string) {
  const child = spawn(execPath, [ERRAND, 'watch', attempt_id, '--data', data], {
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const lines: string[] = [];
  let remarks = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    remarks += text;
  });
  const reader = createInterface({ input: child.stdout });
  const until = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (line: string): void => {
        if (pattern.test(line)) resolve(line);
      };
      for (const line of lines) look(line);
      reader.on('line', look);
      void ended.then(() => reject(new Error(`watch ended without ${pattern}: ${lines.join('\n')}${remarks}`)));
    });
  reader.on('line', (line) => lines.push(line));
  return {
    until,
    interrupt: () => child.kill('SIGINT'),
    end: async () => ({ code: (await ended)[0] as number | null, lines, remarks }),
  };
}

describe.concurrent('agents from the command line', () => {
  it('work on a branch of their own, and what they changed comes as a patch that git applies', async () => {
    const script = 'write hello.txt Hello\nstep Greeted\nsay It is done.';

    const ended = await type('run', '--title', 'Greet', '--executor', 'scripted', '--prompt', script, '--wait');

    const [, attempt_id = ''] = /^attempt {2}(\S+)$/m.exec(ended.stdout) ?? [];
    const patch = await type('diff', attempt_id);
    await writeFile(join(data, 'hello.patch'), patch.stdout);
    await git('apply', '--check', join(data, 'hello.patch'));
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/^step {6}Greeted: completed$/m);
    expect(ended.stdout).toMatch(/^changed {3}hello\.txt {2}\+1 -0 {2}added$/m);
    expect(await git('status', '--porcelain')).toBe('');
    expect(await readFile(join(repository, 'README.md'), 'utf8')).toBe('# Shop\n');
  });

  it('continue their session at a follow-up', async () => {
    const attempt_id = await started('scripted', 'write a.txt One', 'remember colour=green', 'say first');
    await watch(attempt_id).end();

    const ended = await type('follow-up', attempt_id, 'append a.txt Two\nrecall colour', '--wait');

    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/^output {4}colour is green$/m);
    expect(ended.stdout).not.toMatch(/^output {4}first$/m);
    expect((await type('diff', attempt_id, '--files')).stdout).toBe('a.txt  +2 -0  added\n');
  });

  it('continue when watching ends, and end when they are stopped', async () => {
    const attempt_id = await started('scripted', 'open-step Waiting', 'sleep 120000');
    const first = watch(attempt_id);
    await first.until(/^step {6}Waiting: running$/);

    first.interrupt();
    const left = await first.end();
    const status = await errandJson(['board', 'get-attempt', '--attempt-id', attempt_id, '--data', data]);
    const stopped = await type('stop', attempt_id);
    const last = await watch(attempt_id).end();

    expect(left).toMatchObject({ code: 1, remarks: expect.stringContaining('The agent goes on.') });
    expect(status).toMatchObject({ run: { status: 'running' } });
    expect(stopped.stdout).toBe('The agent is being stopped.\n');
    expect(last.code).toBe(1);
    expect(last.lines).toContain('stopped');
  });

  it('ask, and go on once they are answered', async () => {
    const attempt_id = await started('asking', 'ask Delete everything?', 'say went on');
    const watching = watch(attempt_id);
    const line = await watching.until(/errand answer \S+ /);
    const [, approval_id = ''] = /errand answer (\S+)/.exec(line) ?? [];

    const answered = await type('answer', approval_id, '--deny');

    const { code, lines } = await watching.end();
    expect(answered.stdout).toBe('Sent to the agent: denied.\n');
    expect(code).toBe(0);
    expect(lines.join('\n')).toMatch(/^message {3}Delete everything\?: no\n.* went on$/m);
  });

  it('that fail end the waiting with 1', async () => {
    const { code, stdout } = await type(
      ...['run', '--title', 'Fail', '--executor', 'scripted', '--prompt', 'exit 3', '--wait'],
    );

    expect(code).toBe(1);
    expect(stdout).toMatch(/^failed +\S/m);
    expect((await type('task', 'list')).stdout).toMatch(/inprogress +failed +Fail$/m);
    expect(server.lines.join('\n')).not.toContain('"level":"error"');
  });
});
