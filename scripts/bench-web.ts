import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { argv, stderr, stdout, version } from 'node:process';
import { parseArgs } from 'node:util';
import { reportText, type Section, sectionText } from './bench/report.ts';
import { startBrowser } from './bench/web/browser.ts';
import type { WebFigure } from './bench/web/figure.ts';
import { boardReaction } from './bench/web/figures/board-reaction.ts';
import { busyBoard } from './bench/web/figures/busy-board.ts';
import { firstView } from './bench/web/figures/first-view.ts';
import { heap } from './bench/web/figures/heap.ts';
import { idle } from './bench/web/figures/idle.ts';
import { runReaction } from './bench/web/figures/run-reaction.ts';
import { stepVisible } from './bench/web/figures/step-visible.ts';

const FIGURES: Readonly<Record<string, WebFigure>> = {
  'first-view': firstView,
  'board-reaction': boardReaction,
  'run-reaction': runReaction,
  'step-visible': stepVisible,
  idle,
  'busy-board': busyBoard,
  heap,
};
const REPORT = join(import.meta.dirname, '../docs/reference/web-benchmarks.md');
const HEAD = [
  '# Benchmarks of the web board',
  '',
  'Written by `npm run bench:web`, which starts the server, fills it through its own calls, and measures in Chromium.',
  'Absolute figures say as much about the machine as about Errand: where it matters, an empty page of the same browser',
  'is measured beside it.',
];

const { values } = parseArgs({
  args: argv.slice(2).filter((argument) => argument !== '--'),
  options: { only: { type: 'string' }, minutes: { type: 'string', default: '3' }, write: { type: 'boolean' } },
});
const wanted = values.only?.split(',') ?? Object.keys(FIGURES);
const unknown = wanted.filter((name) => !(name in FIGURES));
if (unknown.length > 0) throw new Error(`--only takes ${Object.keys(FIGURES).join(', ')}; not ${unknown.join(', ')}.`);
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error('--minutes takes how long the memory is watched: 30 for the whole figure.');

await using browser = await startBrowser();
const sections: Section[] = [];
for (const name of wanted) {
  stderr.write(`${name} …\n`);
  const section = await FIGURES[name]?.({ browser, minutes });
  if (section === undefined) continue;
  sections.push(section);
  stdout.write(`${sectionText(section)}\n`);
}

// The report of a partial run keeps the other sections, but only on request.
if (values.only === undefined || values.write === true) {
  const facts = [
    `${cpus().length} cores, shared by the server, the browser and the calls; Node.js ${version.slice(1)}, Chromium ${browser.version()}`,
  ];
  const earlier = await readFile(REPORT, 'utf8').catch(() => '');
  await writeFile(REPORT, reportText(facts, sections, earlier, HEAD));
}
