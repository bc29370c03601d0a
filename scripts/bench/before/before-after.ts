import { join } from 'node:path';
import { ERRAND } from '../../../test/e2e/program.ts';
import type { Finding, Section } from '../report.ts';
import { type Effort, median } from '../rounds.ts';
import { checkOut } from './checkout.ts';
import { cpuOf } from './cpu.ts';
import { HTTP_PATHS, type HttpPath, openSubject, type Subject } from './subject.ts';

const AT_ONCE = 16;
const LEAST = 0.97;
/** Short turns and many of them: other programs of the machine then disturb both sides alike. */
const TURNS_PER_ROUND = 6;

const CALLS: Readonly<Record<HttpPath | 'stdio call', number>> = {
  add_task: 400,
  list_tasks: 800,
  get_task: 600,
  create_step: 600,
  next_task: 60,
  'board list by REST': 100,
  'tools/list': 800,
  'stdio call': 400,
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

interface Pair {
  readonly before: Turn;
  readonly after: Turn;
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;

function findingOf(path: Path, pairs: readonly Pair[]): Finding {
  const speed = pairs.map(({ before, after }) => after.per_second / before.per_second);
  const cpu = pairs.map(({ before, after }) => before.cpu / after.cpu);
  const cheap = (side: keyof Pair): number =>
    quantile(
      pairs.map((pair) => pair[side].cpu),
      0.25,
    );
  // Other programs can only make a turn dearer, so the cheap turns of both sides are compared.
  const measured = cheap('before') / cheap('after');
  const between = `${quantile(cpu, 0.25).toFixed(2)} × and ${quantile(cpu, 0.75).toFixed(2)} ×`;
  return {
    subject: path,
    figure: `${median(speed).toFixed(2)} × the calls a second`,
    against: `half of the turns between ${between}`,
    ratio: measured,
    target: `≥ ${LEAST} ×`,
    met: measured >= LEAST,
  };
}

/** Compares the built program of this checkout with that of an earlier commit, call by call. */
export async function beforeAfter(name: string, { rounds }: Effort): Promise<Section> {
  await using checkout = await checkOut(name);
  await using before = await openSubject(checkout.program, join(checkout.folder, 'data-before'));
  await using after = await openSubject(ERRAND, join(checkout.folder, 'data-after'));
  const paths: readonly Path[] = [...HTTP_PATHS, 'stdio call'];
  const pairs = new Map<Path, Pair[]>(paths.map((path) => [path, []]));
  // The first two turns are discarded, because code is still being compiled.
  for (let turn = -2; turn < rounds * TURNS_PER_ROUND; turn++) {
    for (const path of paths) {
      const first = turn % 2 === 0 ? await take(before, path) : undefined;
      const ours = await take(after, path);
      const theirs = first ?? (await take(before, path));
      if (turn >= 0) pairs.get(path)?.push({ before: theirs, after: ours });
    }
  }
  return {
    title: `Before and after: ${checkout.commit} and this checkout`,
    how: `Two servers on SQLite with the same data, in turns: ${AT_ONCE} connections over HTTP, one over stdio. The ratio is the CPU time of the server for a call, before by after: above 1 × this checkout needs less. Of ${rounds * TURNS_PER_ROUND} turns, the first quartile of each side; beside it, how far the turns spread.`,
    findings: paths.map((path) => findingOf(path, pairs.get(path) ?? [])),
  };
}
