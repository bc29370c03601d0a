import { expect, it } from 'vitest';
import { aSite } from './site.ts';

const TABLE = `Title,Status,Priority,Labels,Parent,Id
Paint the shop,In Progress,High,bug,,a
Buy paint,Closed,,,a,b
`;

async function anEmptyBoard() {
  const site = await aSite();
  await site.world.ask('admin_add_project', { name: 'Shop' });
  const window = await site.open('/p/SHO');
  // Keys that are pressed before the page is there go nowhere.
  await window.page.locator('.way').first().waitFor();
  return {
    page: window.page,
    [Symbol.asyncDispose]: async () => {
      await window[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

it('imports a pasted table from the empty board, after it has shown what will happen', async () => {
  await using place = await anEmptyBoard();
  const { page } = place;
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByTestId('import-tasks');

  await dialog.getByLabel('Tasks').fill(TABLE);
  await dialog.getByRole('button', { name: 'Show what will happen' }).click();

  await dialog.getByText('2 tasks of CSV').waitFor();
  expect(await dialog.locator('tbody tr').allInnerTexts()).toEqual([
    expect.stringContaining('In progress'),
    expect.stringContaining('Done'),
  ]);
  await dialog.getByText('The project has no label "bug": it is left out.').waitFor();
  expect(await page.getByTestId('card-SHO-1').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Import 2 tasks' }).click();
  await page.getByText('Imported 2 tasks to Shop').waitFor();
  await page.getByTestId('column-inprogress').getByTestId('card-SHO-1').waitFor();
  expect(await page.evaluate('document.querySelectorAll(".way").length')).toBe(0);

  await page.getByRole('button', { name: 'Shop' }).click();
  await page.getByRole('menuitem', { name: 'Import tasks' }).click();
  await dialog.getByLabel('Tasks').fill(TABLE);
  await dialog.getByRole('button', { name: 'Show what will happen' }).click();
  await dialog.getByText('you imported them already').waitFor();
  expect(await dialog.getByRole('button', { name: /^Import/ }).count()).toBe(0);
});

it('names the file and line of what it cannot read, and goes back to choose again', async () => {
  await using place = await anEmptyBoard();
  const { page } = place;
  await page.keyboard.press('Control+k');
  await page.getByTestId('palette').waitFor();
  await page.keyboard.type('import tasks');
  await page.getByRole('option', { name: 'Import tasks' }).waitFor();
  await page.keyboard.press('Enter');
  const dialog = page.getByTestId('import-tasks');

  await dialog.getByLabel('Files to import').setInputFiles({
    name: 'list.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('title,status\nPaint,todo\n,todo\n'),
  });

  await dialog.getByText('Nothing can be imported yet').waitFor();
  await dialog.getByText('list.csv, line 3').waitFor();
  expect(await dialog.getByRole('button', { name: /^Import/ }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Back' }).click();
  await dialog.getByLabel('Files to import').setInputFiles({
    name: 'list.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from('- Paint\n- Sweep\n'),
  });
  await dialog.getByRole('button', { name: 'Import 2 tasks' }).click();
  await page.getByTestId('card-SHO-2').waitFor();
});

it('refuses a file that is no text before it is sent, and an empty text', async () => {
  await using place = await anEmptyBoard();
  const { page } = place;
  await page.getByRole('button', { name: 'Shop' }).click();
  await page.getByRole('menuitem', { name: 'Import tasks' }).click();
  const dialog = page.getByTestId('import-tasks');

  await dialog.getByRole('button', { name: 'Show what will happen' }).click();
  await dialog.getByText('Paste a list here, or choose files.').waitFor();
  await dialog.getByLabel('Files to import').setInputFiles({
    name: 'photo.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from([0xff, 0xfe, 0x00]),
  });

  await dialog.getByText('photo.txt is not text in UTF-8.').waitFor();
});
