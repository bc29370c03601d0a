import { expect, it } from 'vitest';
import { aSteeredRun } from '../../packages/server/src/testing/steered.ts';
import { aSite } from './site.ts';

/** A site with a run that goes on, SHO-1.1, and one that failed, SHO-2.1. */
async function aBusySite() {
  const site = await aSite();
  const { worker, start, project_id, run, caller } = await aSteeredRun(site.world);
  const { task_id } = await site.world.ask('create_task', { project_id, title: 'Second' });
  await start({ task_id });
  await worker.finish(await worker.take(), { status: 'failed', reason: 'exit 3' }, []);
  return { site, worker, run, caller };
}

it('lists all runs with a chart, shows live how they go, and filters by status', async () => {
  const { site, run, caller } = await aBusySite();
  await using _ = site;
  await using window = await site.open('/runs');
  const { page } = window;
  await page.getByTestId('run-SHO-2.1').getByText('Failed').waitFor();
  await page.getByLabel('Runs of the last 24 h: 0 completed, 1 open, 1 failed or lost').waitFor();

  await site.world.ask('create_step', { execution_id: run.execution_id, step_name: 'Read the code' }, caller);
  await site.world.ask('ask_person', { question: 'Which port?', wait_ms: 0 }, caller);
  await page.getByTestId('run-SHO-1.1').getByText('Needs you').waitFor();
  await page.getByRole('button', { name: 'Status' }).click();
  await page
    .getByRole('option', { name: 'Failed' })
    .or(page.getByRole('menuitem', { name: 'Failed' }))
    .click();

  await page.getByTestId('run-SHO-1.1').waitFor({ state: 'detached' });
  expect(page.url()).toContain('status=failed');
  expect(await page.getByTestId('run-SHO-2.1').count()).toBe(1);
});

it('retries what failed, chosen by keys', async () => {
  const { site, worker } = await aBusySite();
  await using _ = site;
  await using window = await site.open('/runs');
  const { page } = window;
  await page.getByTestId('run-SHO-2.1').waitFor();

  for (const key of ['j', 'x']) await page.keyboard.press(key);
  await page.getByText('1 selected').waitFor();
  await page.getByRole('button', { name: 'Retry' }).click();

  await page.getByText('1 run started again.').waitFor();
  expect((await worker.take()).execution_id).toEqual(expect.any(String));
});

it('stops a run, and says when nothing matches', async () => {
  const { site } = await aBusySite();
  await using _ = site;
  await using window = await site.open('/runs');
  const { page } = window;
  await page.getByRole('checkbox', { name: 'Select SHO-1.1' }).click();

  await page.getByRole('button', { name: 'Stop' }).click();

  await page.getByText('1 run stopped.').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('nothing like this');
  await page.getByText('No run matches the filter.').waitFor();
});
