import { expect, it } from 'vitest';
import { serve } from '../program.ts';
import { openSite } from './site.ts';
import { isAsking, openStage } from './stage.ts';
import { overStdio } from './ways.ts';

it('[B-FOLLOW-S1, B-LIST-3] a run ends with its server and is cleaned up, and another server resumes its session', async () => {
  await using site = await openSite('sqlite');
  const way = overStdio('2025-11-25');
  await using client = await way.connect(site, site.token);
  const { call, start, until, rested, said } = await openStage(site, way, client);
  const script = ['remember colour=green', 'write a.txt Half', 'ask Go on?'];
  const { task_id, attempt_id } = await start(script, { executor: 'asking' });
  await until(attempt_id, isAsking);

  await site.server.stop();
  const interrupted = await rested(attempt_id);
  const failed = await call('get_task', { task_id });
  await using _second = await serve(site.place);
  await call('follow_up', { attempt_id, action: 'send', prompt: 'recall colour' });
  const { run } = await rested(attempt_id);

  expect(interrupted).toMatchObject({ run: { status: 'interrupted' }, pending_approvals: 0, changes: { files: 1 } });
  expect(failed).toMatchObject({ status: 'inprogress', last_attempt_failed: true, last_failure: { attempt_id } });
  expect(run).toMatchObject({ status: 'completed' });
  expect((await said(attempt_id)).at(-1)).toBe('colour is green');
});
