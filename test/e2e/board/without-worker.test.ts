import { join } from 'node:path';
import { expect, it } from 'vitest';
import { errandJson, temporaryFolder } from '../program.ts';
import { aRepository } from './repository.ts';
import { overStdio } from './ways.ts';

it('an attempt without a runner is refused with the command to start', async () => {
  await using folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  const { path } = await aRepository(join(folder.path, 'shop'), { 'README.md': '# Shop\n' });
  const { project_id } = await errandJson(['project', 'add', 'Shop', '--data', data]);
  const { repo_id } = await errandJson(['repo', 'add', path, '--project', String(project_id), '--data', data]);
  const create = [
    'token',
    'create',
    '--kind',
    'user',
    '--name',
    'tester',
    '--scopes',
    'board:read,board:write,board:run',
  ];
  const { token } = await errandJson([...create, '--data', data]);
  await using client = await overStdio('2025-11-25').connect({ origin: '', place: { data } }, String(token));
  const made = await client.call('create_task', { project_id, title: 'Greet' });
  const { task_id } = made.ok ? made.value : expect.unreachable();

  const offered = await client.call('list_executors', {});
  const refused = await client.call('start_task_attempt', { task_id, executor: 'scripted', repos: [{ repo_id }] });

  expect(offered).toMatchObject({ ok: true, value: { executors: [], note: expect.stringContaining('errand serve') } });
  expect(refused).toMatchObject({
    ok: false,
    error: { code: 'executor_unavailable', message: expect.stringContaining('errand worker') },
  });
});
