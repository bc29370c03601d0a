import { expect, it } from 'vitest';
import { XSS_VECTORS } from '../../packages/server/src/domain/testing/xss-vectors.ts';
import { anAttempt } from './an-attempt.ts';
import { aSite } from './site.ts';

/** Each vector marks the window if it runs; titles take 255 characters. */
// Texts with U+0000 are refused, so none is shown.
const VECTORS = XSS_VECTORS.filter((vector) => !vector.includes('\0')).map((vector) => vector.slice(0, 250));
const ALL = VECTORS.join('\n\n');
const at = (place: number): string => VECTORS[place % VECTORS.length] ?? '';

/** Pages on which texts of others are shown, and what is on them once they have come. */
const PAGES: readonly (readonly [path: string, shown: string])[] = [
  ['/p/SHO', '[data-testid=card-SHO-1]'],
  ['/t/SHO-1', '.side .atts'],
  ['/a/SHO-1.1', '[data-testid=timeline-step-2]'],
  ['/a/SHO-1.1?tab=feed', '.fr'],
  ['/a/SHO-2.1?tab=changes', '.diff'],
  ['/p/SHO/tasks', '[data-testid=row-SHO-1]'],
  ['/p/SHO/settings', '[data-testid=guide-preview]'],
  ['/inbox', '.ib-detail'],
  ['/runs', '[data-testid="run-SHO-1.1"]'],
  ['/agents', 'main table'],
  ['/activity', '[data-testid=event-1]'],
];

it('runs and loads nothing of what is stored in any text that a page shows', async () => {
  await using site = await aSite();
  const { world } = site;
  const { caller, step, say, anotherEnded, project_id, task_id } = await anAttempt(world);
  await world.ask('update_task', { task_id, title: at(0), description: ALL.slice(0, 20_000) });
  for (const [place, text] of VECTORS.slice(0, 20).entries()) {
    await world.ask('tasker_append_comment', {
      issue_id: task_id,
      comment_html: `<p>${place}</p>${text}`,
      idempotency_key: `comment-${place}`,
    });
    await say(place % 2 === 0 ? 'message' : 'output', text);
  }
  await step(1, at(1), 'failed', ALL.slice(0, 2_000));
  await step(2, at(2));
  await anotherEnded([
    {
      path: `${at(3).replaceAll(/[/\0\n"]/g, '')}.html`,
      lines: VECTORS.map((text) => `+${text.replaceAll('\n', ' ')}`),
    },
  ]);
  await world.ask('admin_update_project', { project_id, name: at(4).slice(0, 80), card_guide: ALL.slice(0, 5_000) });
  await world.ask('admin_create_agent', {
    name: at(5).slice(0, 60),
    project_ids: [project_id],
    scopes: ['board:read'],
  });
  await world.ask('ask_person', { question: at(6), wait_ms: 0 }, caller);
  await using window = await site.open('/');
  const { page } = window;
  let dialogs = 0;
  page.on('dialog', (dialog) => {
    dialogs += 1;
    void dialog.dismiss();
  });

  for (const [path, shown] of PAGES) {
    await page.goto(`${site.url}${path}`);
    await page.locator(shown).first().waitFor();
    const strange = await page.evaluate<number>(
      "document.querySelectorAll('iframe, object, embed, script:not([src]), img[src^=http], a[href^=javascript], [onerror], [onload]').length",
    );

    expect([path, strange, dialogs]).toEqual([path, 0, 0]);
  }
});
