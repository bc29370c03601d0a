import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { anAttempt } from './an-attempt.ts';
import { aSite } from './site.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** A page, and what is on it once it has come. */
const PAGES: readonly (readonly [path: string, shown: string])[] = [
  ['/p/SHO', '[data-testid=card-SHO-1]'],
  ['/p/SHO?task=SHO-1', '[role=dialog] .stream li'],
  ['/t/SHO-1', '.side .atts'],
  ['/a/SHO-1.1', '[data-testid=timeline-step-2]'],
  ['/a/SHO-1.1?tab=feed', '.fr'],
  ['/a/SHO-1.1?tab=details', '.sheet'],
  ['/a/SHO-2.1?tab=changes', '.diff mark'],
  ['/a/SHO-2.1?tab=changes&split=true', '.diff mark'],
  ['/p/SHO/tasks?group=state', '[data-testid=row-SHO-1]'],
  ['/settings', '[data-testid^=token-]'],
  ['/p/SHO/settings', '[data-testid=guide-preview]'],
  ['/ops', '.toolt tbody tr'],
  ['/inbox', '.ib-detail .before li'],
  ['/runs', '[data-testid="run-SHO-1.1"]'],
  ['/agents', '[data-testid=agent-atlas] .ptag'],
  ['/agents/atlas', '.agentpage .well li'],
  ['/agents?make=true', '.toollist li'],
  ['/p/NEW', '.way .quick-add'],
  ['/activity', '[data-testid=event-1]'],
];

/** What a scheme can change: a page has the same elements in both. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** The names of what axe calls serious on the page that is shown, with the elements. */
async function seriousOn(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // Where the others are, which it would find out at length, nobody reads.
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
  const { violations } = await page.evaluate<{ readonly violations: readonly Violation[] }>(`axe.run(${options})`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

it('finds nothing serious on any page, in light and in dark', async () => {
  await using site = await aSite();
  const { caller, step, say, anotherEnded, project_id } = await anAttempt(site.world);
  await step(1, 'Read the code', 'failed', 'It is **not** there.');
  await step(2, 'Run the tests');
  await say('command', 'npm test');
  await say('output', 'Error: 2 failed');
  await anotherEnded([{ path: 'a.ts', lines: [' const a = 1;', '-const wait = 1;', '+const wait = [1, 5]; // more'] }]);
  await site.world.ask('ask_person', { question: 'Which port?', wait_ms: 0 }, caller);
  const scopes = ['board:read', 'board:write'];
  await site.world.ask('admin_create_agent', { name: 'atlas', project_ids: [project_id], scopes });
  await site.world.ask('admin_add_project', { key: 'NEW', name: 'Returns' });
  await using window = await site.open();
  const { page } = window;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const found: Record<string, readonly string[]> = {};

  for (const [path, shown] of PAGES) {
    await page.goto(`${site.url}${path}`);
    await page.locator(shown).first().waitFor();
    await page.evaluate(AXE);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      found[`${path} in ${colorScheme}`] = await seriousOn(page, colorScheme === 'dark' ? OF_COLOURS : undefined);
    }
  }

  await page.goto(`${site.url}/p/NEW`);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByTestId('import-tasks').getByLabel('Tasks').fill('- [ ] Paint the shop');
  await page.getByRole('button', { name: 'Show what will happen' }).click();
  await page.locator('.import-rows tbody tr').waitFor();
  await page.evaluate(AXE);
  found['the table of an import'] = await seriousOn(page);

  expect(Object.entries(found).filter(([, problems]) => problems.length > 0)).toEqual([]);
  expect(Object.keys(found)).toHaveLength(PAGES.length * 2 + 1);
});
