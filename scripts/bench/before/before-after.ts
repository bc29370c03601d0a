import { join } from 'node:path';
import { ERRAND } from '../../../test/e2e/program.ts';
import type { Finding, Section } from '../report.ts';
import type { Effort } from '../rounds.ts';
import { checkOut } from './checkout.ts';
import { cpuOf } from './cpu.ts';
import { HTTP_PATHS, type HttpPath, openSubject, type Subject } from './subject.ts';

const AT_ONCE = 16;
const LEAST = 0.97;
/** Short turns and many of them: other programs of the machine then disturb both sides alike. */
const TURNS = 40;
/** Turns that are discarded, because code is still being compiled. */
const FIRST_TURNS = 12;

/** How often a path is asked in a turn. */
const CALLS: Readonly<Record<HttpPath | 'stdio call', number>> = {
  add_task: 120,
  list_tasks: 200,
  get_task: 160,
  create_step: 160,
  next_task: 32,
  'board list by REST': 48,
  'tools/list': 240,
  'stdio call': 200,
};
type Path = keyof typeof CALLS;

/** What one turn of one program took. */
interface Turn {
  /** CPU time of the server for a call, in microseconds. */
  readonly cpu: number;
  readonly per_second: number;
}

async function take(subject: Subject, path: Path): Promise<Turn> {
  const pid = path === 'stdio call' ? subject.stdio.pid : subject.pid;
  let left = CALLS[path];
  const client = async (): Promise<void> => {
    while (left-- > 0) await (path === 'stdio call' ? subject.stdio.call() : subject.ask(path));
  };
  const used = cpuOf(pid);
  const begun = performance.now();
  await Promise.all(Array.from({ length: path === 'stdio call' ? 1 : AT_ONCE }, client));
  const per_second = (CALLS[path] * 1000) / (performance.now() - begun);
  return { cpu: (cpuOf(pid) - used) / CALLS[path], per_second };
}

/** The turns of one path with one pair of servers. */
interface Turns {
  readonly before: Turn[];
  readonly after: Turn[];
}
type Measured = ReadonlyMap<Path, Turns>;

const PATHS: readonly Path[] = [...HTTP_PATHS, 'stdio call'];

/** The mean of the middle half: a turn in which V8 compiled or another program ran counts for nothing. */
function middle(turns: readonly Turn[], field: keyof Turn): number {
  const sorted = turns.map((turn) => turn[field]).toSorted((a, b) => a - b);
  const kept = sorted.slice(sorted.length >> 2, sorted.length - (sorted.length >> 2));
  return kept.reduce((sum, value) => sum + value, 0) / kept.length;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function findingOf(path: Path, rounds: readonly Measured[]): Finding {
  const all = rounds.flatMap((round) => round.get(path) ?? []);
  const speed = all.map(({ before, after }) => middle(after, 'per_second') / middle(before, 'per_second'));
  const cpu = all.map(({ before, after }) => middle(before, 'cpu') / middle(after, 'cpu'));
  const ratio = mean(cpu);
  return {
    subject: path,
    figure: `${mean(speed).toFixed(2)} × the calls a second`,
    against: `by pair: ${cpu.map((one) => `${one.toFixed(2)} ×`).join(', ')}`,
    ratio,
    target: `≥ ${LEAST} ×`,
    met: ratio >= LEAST,
  };
}

async function measure(before: Subject, after: Subject): Promise<Measured> {
  const measured = new Map<Path, Turns>(PATHS.map((path) => [path, { before: [], after: [] }]));
  for (let turn = -FIRST_TURNS; turn < TURNS; turn++) {
    for (const [path, turns] of measured) {
      const first = turn % 2 === 0 ? await take(before, path) : undefined;
      const ours = await take(after, path);
      const theirs = first ?? (await take(before, path));
      if (turn < 0) continue;
      turns.before.push(theirs);
      turns.after.push(ours);
    }
  }
  return measured;
}

/** Compares the built program of this checkout with that of an earlier commit, call by call. */
export async function beforeAfter(name: string, { rounds }: Effort): Promise<Section> {
  await using checkout = await checkOut(name);
  const measured: Measured[] = [];
  // Two processes of the same program differ by some hundredths, by what V8 compiled when: so several pairs.
  while (measured.length < rounds) {
    const data = (side: string): string => join(checkout.folder, `data-${measured.length}-${side}`);
    await using before = await openSubject(checkout.program, data('before'));
    await using after = await openSubject(ERRAND, data('after'));
    measured.push(await measure(before, after));
  }
  return {
    title: `Before and after: ${checkout.commit} and this checkout`,
    how: `Two servers on SQLite with the same data, in turns: ${AT_ONCE} connections over HTTP, one over stdio. The ratio is the CPU time of the server for a call, before by after: above 1 × this checkout needs less. For each of ${rounds} pairs of servers, the mean of the middle half of ${TURNS} turns of either side; the ratio is the mean of the pairs.`,
    findings: PATHS.map((path) => findingOf(path, measured)),
  };
}
