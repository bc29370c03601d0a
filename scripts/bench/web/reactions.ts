import type { Page } from 'playwright-core';
import { percentile } from '../polling.ts';
import { type Finding, milliseconds } from '../report.ts';
import { soon } from './browser.ts';

export const MAX_REACTION_MS = 100;

/** One way to act on a page by a key, and the expression that tells that the page shows its effect. */
export interface Act {
  readonly key: string;
  /** JavaScript: its value changes with the effect. */
  readonly shows: string;
}

/** Presses a key. Resolves with the milliseconds until its effect was drawn. */
export async function react(page: Page, { key, shows }: Act): Promise<number> {
  await page.evaluate(`probe.expectKey(() => ${shows})`);
  await page.keyboard.press(key);
  return soon(page.evaluate<number>('probe.reaction'), `${key}: ${shows}`);
}

/** A mark on the empty page, which any key moves. */
export const MARK: Act = { key: 'j', shows: "document.getElementById('mark').dataset.at" };

/** The report's line for some reactions, beside those of the empty page. */
export function reactionFinding(subject: string, taken: readonly number[], empty: readonly number[]): Finding {
  const p95 = percentile(taken, 0.95);
  const least = percentile(empty, 0.95);
  return {
    subject,
    figure: `p50 ${milliseconds(percentile(taken, 0.5))}, p95 ${milliseconds(p95)}`,
    against: `empty page: p95 ${milliseconds(least)}`,
    ratio: p95 / least,
    target: `p95 ≤ ${MAX_REACTION_MS} ms`,
    met: p95 <= MAX_REACTION_MS,
  };
}
