/**
 * Takes pictures of every page of the web board, in its states, at two widths, light and dark:
 * `npm run shots`, or `npm run shots -- --only board,inbox --size 1440 --theme light --out FOLDER`. With `--docs` it
 * writes the pictures of README and the guide instead.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { addLargeProject } from './shots/add-large-project.ts';
import { addOtherEvents } from './shots/add-other-events.ts';
import { addRuns } from './shots/add-runs.ts';
import { addShownAttempt } from './shots/add-shown-attempt.ts';
import { addTasks } from './shots/add-tasks.ts';
import { type Camera, type Frame, openCamera, SIZES, type Size } from './shots/camera.ts';
import { DOCS_IMAGES, writeDocsImage } from './shots/docs-images.ts';
import { type Harbour, openHarbour } from './shots/harbour.ts';
import type { View } from './shots/view.ts';
import { VIEWS } from './shots/views.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'shots' },
    only: { type: 'string' },
    size: { type: 'string' },
    theme: { type: 'string' },
    scale: { type: 'string', default: '1' },
    fonts: { type: 'string' },
    docs: { type: 'boolean', default: false },
  },
});

const out = resolve(values.out);
const IMAGES = join(import.meta.dirname, '..', 'docs', 'images');
const only = values.only?.split(',');
const sizes = (Object.keys(SIZES).map(Number) as Size[]).filter((size) => !values.size || String(size) === values.size);
const themes = (['light', 'dark'] as const).filter((theme) => !values.theme || theme === values.theme);
const views = VIEWS.filter(({ name }) => only === undefined || only.includes(name));

const kept = new Map<string, BrowserContext>();

/** A window with the session of a person, or of nobody. It is kept: another one would compile the scripts of the board again. */
async function windowFor({ url, cookies }: Harbour, camera: Camera, view: View, frame: Frame): Promise<BrowserContext> {
  const as = view.as ?? 'admin';
  const key = `${frame.size} ${frame.theme} ${as}`;
  const known = view.flows ? undefined : kept.get(key);
  if (known !== undefined) return known;
  const window = await camera.window(frame);
  const [name = '', value = ''] = cookies.get(as === 'member' ? 'Noor Haddad' : 'Ana Ruiz')?.split('=') ?? [];
  if (as !== 'stranger') await window.addCookies([{ name, value, url }]);
  // All pages of a window share its clock: one that goes on would go on in the next picture.
  if (!view.flows) kept.set(key, window);
  return window;
}

/** Waits until nothing on the page changes any more, as far as a page can tell. */
async function settle(page: Page): Promise<void> {
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  await page.waitForTimeout(400);
}

/** Takes the picture of a view. What the page shows instead, when it cannot, goes to a file that says so. */
async function shoot(harbour: Harbour, camera: Camera, view: View, frame: Frame): Promise<Buffer> {
  const window = await windowFor(harbour, camera, view, frame);
  await using page = await camera.page(window, view.flows);
  try {
    // What an earlier picture has left in the window.
    await page.addInitScript('localStorage.clear(), sessionStorage.clear()');
    await view.prepare?.(page);
    await page.goto(`${harbour.url}${view.path}`);
    await page.locator(view.shows).filter({ visible: true }).first().waitFor();
    await settle(page);
    await view.act?.(page, harbour);
    await settle(page);
    return await page.screenshot({ caret: 'initial' });
  } catch (error) {
    await page.screenshot({ path: join(out, `${view.name}-${frame.size}-${frame.theme}-missed.png`) });
    throw error;
  } finally {
    if (view.flows) await window.close();
  }
}

async function take(harbour: Harbour, camera: Camera, view: View, frame: Frame): Promise<void> {
  const name = `${view.name}-${frame.size}-${frame.theme}`;
  try {
    writeFileSync(join(out, `${name}.png`), await shoot(harbour, camera, view, frame));
    process.stdout.write(`${join(out, `${name}.png`)}\n`);
  } catch (error) {
    // The others are taken all the same: a person may want to see them.
    process.exitCode = 1;
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : error}\n`);
  }
}

async function takeAll(harbour: Harbour, camera: Camera): Promise<void> {
  const frames = sizes.flatMap((size) => themes.map((theme) => ({ size, theme })));
  for (const view of views) {
    const wanted = frames.filter(({ size }) => view.sizes?.includes(size) ?? true);
    if (view.changes) for (const frame of wanted) await take(harbour, camera, view, frame);
    else await Promise.all(wanted.map((frame) => take(harbour, camera, view, frame)));
  }
}

async function takeForDocs(harbour: Harbour, camera: Camera): Promise<void> {
  await using window = await camera.window({ size: 1440, theme: 'light' });
  const empty = await camera.page(window);
  for (const { image, view, theme } of DOCS_IMAGES) {
    const wanted = VIEWS.find(({ name }) => name === view);
    if (wanted === undefined) throw new Error(`No view is called ${view}.`);
    const png = await shoot(harbour, camera, wanted, { size: 1440, theme });
    process.stdout.write(`${await writeDocsImage(empty, png, IMAGES, image)}\n`);
  }
}

mkdirSync(out, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), 'errand-shots-'));
const harbour = await openHarbour(scratch);
addTasks(harbour);
addRuns(harbour);
addShownAttempt(harbour, join(scratch, 'storefront'));
addLargeProject(harbour);
addOtherEvents(harbour);
await harbour.schedule.play();
const camera = await openCamera(scratch, { fonts: values.fonts, scale: Number(values.scale) });
await (values.docs ? takeForDocs : takeAll)(harbour, camera);
await camera.close();
await harbour[Symbol.asyncDispose]();
rmSync(scratch, { recursive: true, force: true });
