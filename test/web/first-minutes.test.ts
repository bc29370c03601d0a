import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openSite, type Site } from '../e2e/board/site.ts';
import { WAYS } from '../e2e/board/ways.ts';
import { errandJson, placeFlags } from '../e2e/program.ts';
import { aWindow } from './windows.ts';

/** A busy machine takes minutes for it. */
const LONG_MS = 600_000;

/** A strict MCP client of the newest revision, over HTTP. */
const [, MCP] = WAYS;

/** An agent elsewhere, with the token that the page showed. */
async function anAgent({ origin, place }: Site, token: string) {
  const client = await (MCP ?? expect.unreachable()).connect({ origin, place }, token);
  return async (tool: string, args: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> => {
    const answer = await client.call(tool, args);
    return answer.ok ? { ...answer.value } : expect.unreachable(`${tool}: ${answer.error.message}`);
  };
}

async function makeProject(page: Page, { path }: Site['repository']): Promise<void> {
  await page.locator('.top .switch').click();
  await page.getByRole('menuitem', { name: 'New project' }).click();
  await page.getByTestId('new-project-dialog').getByLabel('Name').fill('Shop');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/p/SHO');
  await page.getByRole('heading', { name: 'Board of Shop' }).waitFor();
  await page.goto(`${new URL(page.url()).origin}/p/SHO/settings`);
  await page.getByLabel('Add a repository').fill(path);
  await page.keyboard.press('Enter');
  await page.getByTestId('repo-shop').waitFor();
}

/** Makes an agent by the page, and returns its token. */
async function connectAgent(page: Page): Promise<string> {
  await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Agents' }).click();
  await page.getByRole('button', { name: 'New agent' }).first().click();
  const dialog = page.getByTestId('new-agent');
  await dialog.getByLabel('Name').fill('atlas');
  await dialog.getByRole('button', { name: 'Next' }).click();
  await dialog.getByRole('checkbox', { name: 'Shop' }).click();
  await dialog.getByRole('button', { name: 'Make the agent' }).click();
  await dialog.getByText('Waiting for the first request').waitFor();
  return (await dialog.getByTestId('token').textContent()) ?? '';
}

const SCRIPT = [
  'open-step Write the greeting',
  'write greeting.txt Good day',
  'ask Run the tests?',
  'say Greeted.',
  'later "Say hello" write greeting.txt Hello',
].join('\n');

it(
  'leads a person from the link to a merged task in the first five minutes, while agents work',
  async () => {
    await using site = await openSite('sqlite');
    const { origin, place, repository } = site;
    const { url } = await errandJson(['open', ...placeFlags(place)]);
    await using window = await aWindow(origin);
    const { page } = window;

    // The link signs in once.
    await page.goto(String(url));
    await page.getByTestId('live-dot').getByText('Live').waitFor();
    expect(page.url()).not.toContain('key=');
    await makeProject(page, repository);

    // An agent that is connected plans, and its cards appear.
    const call = await anAgent(site, await connectAgent(page));
    await call('create_tasks', {
      project_id: 'SHO',
      tasks: [
        { ref: 'a', title: 'Greet whoever comes' },
        { ref: 'b', title: 'Choose a colour' },
      ],
    });
    await page.getByText('atlas is connected').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    for (const key of ['g', 'b']) await page.keyboard.press(key);
    await page.getByTestId('column-todo').getByTestId('card-SHO-2').waitFor();

    // It takes a task, and asks; the person answers from the inbox, and the waiting call returns.
    const { claim } = await call('next_task', { task_id: 'SHO-2' });
    await page.getByTestId('column-inprogress').getByTestId('card-SHO-2').getByText('atlas works on it').waitFor();
    const asked = call('ask_person', { task_id: 'SHO-2', question: 'Which colour?', wait_ms: 30_000 });
    await expect.poll(() => page.title()).toMatch(/^\(1\)/);
    for (const key of ['g', 'i']) await page.keyboard.press(key);
    await page.getByRole('heading', { name: 'Which colour?' }).waitFor();
    await page.keyboard.press('r');
    await page.keyboard.type('Green');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Nothing needs you.').waitFor();
    const answer = await asked;
    // A call that has waited long enough ends first; the words then come with the next one.
    const { text, messages } = answer.status === 'answered' ? answer : await call('get_task', { task_id: 'SHO-2' });
    expect(JSON.stringify([text, messages])).toContain('Green');
    const { epoch } = claim as { readonly epoch: number };
    await call('update_task', { task_id: 'SHO-2', status: 'done', claim_epoch: epoch });
    for (const key of ['g', 'b']) await page.keyboard.press(key);
    await page.getByTestId('column-done').getByTestId('card-SHO-2').waitFor();

    // A person adds a task of their own, and starts an agent on the other one.
    await page.keyboard.press('c');
    await page.getByTestId('new-task-dialog').getByLabel('Title').fill('Paint the door');
    await page.keyboard.press('Enter');
    await page.getByTestId('column-todo').getByTestId('card-SHO-3').waitFor();
    await page.getByTestId('card-SHO-1').click();
    await page.getByRole('dialog').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Start an attempt' }).click();
    const start = page.getByTestId('start-attempt');
    await start.getByRole('checkbox', { name: 'asking' }).check();
    await start.getByRole('checkbox', { name: 'scripted' }).uncheck();
    await start.getByLabel('Besides the task').fill(SCRIPT);
    await start.getByRole('button', { name: 'Start attempt' }).click();

    // Its question is answered on the card, its step is on the timeline, and what it wrote is reviewed.
    await page.keyboard.press('Escape');
    const card = page.getByTestId('column-inprogress').getByTestId('card-SHO-1');
    await card.getByText('Needs you').waitFor();
    await card.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByTestId('column-inreview').getByTestId('card-SHO-1').waitFor();
    await page.goto(`${origin}/a/SHO-1.1`);
    await page.getByTestId('timeline-step-1').getByText('Write the greeting').waitFor();
    await page.getByRole('link', { name: 'Changes' }).click();
    const file = page.getByTestId('diff-file-greeting.txt');
    await file.getByText('Good day').waitFor();
    await file.getByRole('button', { name: 'Comment on line 1' }).click();
    await file.getByRole('textbox').fill('Say hello');
    await page.keyboard.press('Control+Enter');
    await file.getByText('Not sent yet').waitFor();
    await page.getByRole('button', { name: 'Send review' }).click();
    await file.getByText('Hello', { exact: true }).waitFor();

    await page.getByTestId('merge').click();
    await page.getByTestId('merge-dialog').locator('footer').getByRole('button', { name: 'Merge' }).click();
    await page.getByText('Merged into main').waitFor();
    for (const key of ['g', 'b']) await page.keyboard.press(key);
    await page.getByTestId('column-done').getByTestId('card-SHO-1').waitFor();
    expect(await readFile(join(repository.path, 'greeting.txt'), 'utf8')).toBe('Hello\n');
    expect(await repository.git('log', '-1', '--format=%s', 'main')).toContain('Greet whoever comes');
  },
  LONG_MS,
);
