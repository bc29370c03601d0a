import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errand, type Server, serve, temporaryFolder } from './program.ts';

describe('commands while a server runs on their data', () => {
  const open = new AsyncDisposableStack();
  let data: string;
  let server: Server;

  beforeAll(async () => {
    data = join(open.use(await temporaryFolder()).path, 'data');
    server = open.use(await serve({ data }));
  });
  afterAll(() => open.disposeAsync());

  const type = (...words: string[]) => errand([...words, '--data', data]);
  /** The lines of calls in the server's log: of commands it logs those that fail. */
  const logged = (tool: string) => server.lines.filter((line) => line.includes(`"${tool}"`) && line.includes('"cli"'));

  it('[L-CLI] are run by the server, and by their own process after it was killed', async () => {
    const added = await type('project', 'add', 'Website', '--json');
    const task = await type('task', 'add', 'Fix the login', '--project', 'WEB');
    const served = [await type('task', 'list', '--project', 'WEB'), await type('project', 'show', 'nothing-such')];
    await expect.poll(() => logged('admin_show_project')).toHaveLength(1);

    await server.stop('SIGKILL');
    const alone = [await type('task', 'list', '--project', 'WEB'), await type('project', 'show', 'nothing-such')];

    expect([added, task].map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    expect(task.stdout).toBe('WEB-1\n');
    expect(served[0]?.stdout).toContain('Fix the login');
    expect(served.map(({ code, stdout }) => [code, stdout])).toEqual(alone.map(({ code, stdout }) => [code, stdout]));
    expect(served[1]?.stderr).toContain('nothing-such');
  });
});
