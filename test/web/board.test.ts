import { expect, it } from 'vitest';
import { aSteeredRun } from '../../packages/server/src/testing/steered.ts';
import { aSite } from './site.ts';

it('shows a change by an agent on the board without a reload', async () => {
  await using site = await aSite();
  const { caller, run, task_id } = await aSteeredRun(site.world);
  await using window = await site.open('/p/SHO');
  const card = window.page.getByTestId('card-SHO-1');
  await card.waitFor();

  await site.world.ask('create_step', { execution_id: run.execution_id, step_name: 'Read the code' }, caller);
  await card.getByText('Read the code').waitFor();
  await site.world.ask('update_task', { task_id, title: 'Paint the shop' });
  await card.getByText('Paint the shop').waitFor();

  expect(await window.page.title()).toContain('Board');
});
