import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { XSS_VECTORS } from '../../packages/server/src/domain/testing/xss-vectors.ts';
import { aBoard } from '../../packages/server/src/testing/attempts.ts';
import { inChat } from './chat-host.ts';
import { aSite } from './site.ts';

const AGENT_SCOPES = ['board:read', 'board:write'];

/** The token of an agent that may read and write tasks of the shop, and no cards. */
async function aToken({ world }: Awaited<ReturnType<typeof aSite>>): Promise<string> {
  const { token } = await world.ask('admin_create_agent', { name: 'chat', project_ids: ['SHO'], scopes: AGENT_SCOPES });
  return String(token);
}

it('shows the board in a chat, and moves a card through it', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await using window = await site.visit('/healthz');
  const { page } = window;

  const view = await inChat(page, site.url, {
    token: await aToken(site),
    tool: 'list_tasks',
    args: { project_id: 'SHO' },
    theme: 'dark',
  });
  const card = view.getByTestId('card-SHO-1');
  await card.waitFor();
  await card.dragTo(view.getByTestId('column-inprogress'));

  await view.getByTestId('column-inprogress').getByTestId('card-SHO-1').waitFor();
  await expect.poll(() => site.world.ask('get_task', { task_id: 'SHO-1' })).toMatchObject({ status: 'inprogress' });
  expect(await view.locator('html').getAttribute('data-theme')).toBe('dark');
  expect(await page.evaluate('window.view')).toMatchObject({
    uri: 'ui://errand/board.html',
    mimeType: 'text/html;profile=mcp-app',
  });
  expect(await page.evaluate('window.log')).toContain('ui/notifications/size-changed');
});

it('opens a card in a chat, moves its task by keys, and goes back to the board', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await using window = await site.visit('/healthz');
  const { page } = window;
  const view = await inChat(page, site.url, {
    token: await aToken(site),
    path: '/mcp/board',
    tool: 'list_tasks',
    args: { project_id: 'SHO' },
  });

  await view.getByTestId('card-SHO-1').click();
  await view.getByRole('button', { name: 'Todo' }).click();
  await page.keyboard.type('review');
  await page.keyboard.press('Enter');
  await expect.poll(() => site.world.ask('get_task', { task_id: 'SHO-1' })).toMatchObject({ status: 'inreview' });
  await view.getByRole('button', { name: 'Back' }).click();

  await view.getByTestId('column-inreview').getByTestId('card-SHO-1').waitFor();
});

it('brings a card back, and says why, when the token may only read', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  const { token } = await site.world.ask('admin_create_agent', {
    name: 'reader',
    project_ids: ['SHO'],
    scopes: ['board:read'],
  });
  await using window = await site.visit('/healthz');
  const view = await inChat(window.page, site.url, {
    token: String(token),
    tool: 'list_tasks',
    args: { project_id: 'SHO' },
  });

  await view.getByTestId('card-SHO-1').dragTo(view.getByTestId('column-inprogress'));

  await view.getByText(/board:write/).waitFor();
  await view.getByTestId('column-todo').getByTestId('card-SHO-1').waitFor();
});

it('shows a task in a chat, and its texts never become markup', async () => {
  await using site = await aSite();
  const { task_id } = await aBoard(site.world);
  const vectors = XSS_VECTORS.filter((vector) => !vector.includes('\0'));
  const title = vectors.find((vector) => vector.includes('<img') && vector.length < 200) ?? '';
  await site.world.ask('update_task', { task_id, title, description: vectors.join('\n\n').slice(0, 20_000) });
  await using window = await site.visit('/healthz');
  const { page } = window;
  let dialogs = 0;
  page.on('dialog', (dialog) => {
    dialogs += 1;
    void dialog.dismiss();
  });

  const view = await inChat(page, site.url, { token: await aToken(site), tool: 'get_task', args: { task_id } });
  await view.getByRole('heading', { level: 1 }).getByText(title.trim(), { exact: true }).waitFor();
  await view.locator('.prose').first().waitFor();

  expect(await view.locator('img, iframe, object, embed, form, .prose script, svg[onload]').count()).toBe(0);
  expect(dialogs).toBe(0);
  expect(await page.evaluate('window.view')).toMatchObject({ uri: 'ui://errand/task.html' });
});

it('says what the call was refused for', async () => {
  await using site = await aSite();
  await aBoard(site.world);
  await using window = await site.visit('/healthz');

  const view = await inChat(window.page, site.url, {
    token: await aToken(site),
    tool: 'get_task',
    args: { task_id: 'SHO-99' },
  });

  await view.getByText(/SHO-99/).waitFor();
});

it.each(['board', 'task'])('builds the view %s as one file within its size, which names no other', (name) => {
  const html = readFileSync(new URL(`../../packages/server/dist/views/${name}.html`, import.meta.url), 'utf8');

  const head = html.slice(0, html.indexOf('<style>')) + html.slice(html.lastIndexOf('</script>'));
  expect(Buffer.byteLength(html)).toBeLessThan(800_000);
  expect(gzipSync(html).byteLength).toBeLessThan(260_000);
  expect(html.match(/<\/?script/gi)).toEqual(['<script', '</script']);
  expect(head).not.toMatch(/src=|href=|@import/);
});
