import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRandom, type Random } from '../../e2e/durability/random.ts';
import { createLedger } from '../../e2e/durability/writers.ts';
import { temporaryFolder } from '../../e2e/program.ts';
import { reopen } from '../reopen.ts';
import { enter, runWriter, type WriterAnswer, type WriterOptions } from '../run-writer.ts';
import { type Cut, createModel } from './model.ts';
import { type Event, readTrace, traceArguments } from './trace.ts';

export interface PowerCuts extends Omit<WriterOptions, 'path'> {
  readonly images: number;
  /** Further arguments of strace: faults to inject. */
  readonly inject?: readonly string[];
}

export interface Findings {
  /** The faults by image. */
  readonly faults: readonly string[];
  /** How many images lack an acknowledged write or cannot be opened. */
  readonly bad: number;
  readonly acked: number;
  readonly refused: number;
  /** The number of checkpoints before the end. */
  readonly checkpoints: number;
}

const CUTS: readonly ((random: Random) => Cut)[] = [
  () => ({ kept: 0, torn: 0 }),
  () => ({ kept: 1, torn: 0 }),
  () => ({ kept: 1, torn: 1 }),
  (random) => ({ kept: random.next(), torn: 0 }),
  (random) => ({ kept: random.next(), torn: random.next() }),
];

function countCheckpoints(events: readonly Event[]): number {
  const writes = events.filter(({ kind }) => kind === 'write' || kind === 'message');
  return writes.filter((event, i) => {
    const before = writes[i - 1];
    const into = event.kind === 'write' && event.file === 'errand.db';
    return into && !(before?.kind === 'write' && before.file === 'errand.db');
  }).length;
}

/** Picks random positions in the trace, after its start. */
const places = (count: number, length: number, random: Random): readonly number[] =>
  Array.from({ length: count }, () => random.between(1, length)).sort((a, b) => a - b);

async function put(folder: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  await mkdir(folder);
  for (const [name, content] of files) await writeFile(join(folder, name), content);
}

/** Runs the writer, simulates power cuts at many positions of its disk trace, and checks each resulting image. */
export async function cutPower({ images, inject = [], ...options }: PowerCuts): Promise<Findings> {
  await using folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  await mkdir(data);
  const trace = join(folder.path, 'trace');
  const written = await runWriter({ ...options, path: join(data, 'errand.db') }, [...traceArguments(trace), ...inject]);
  const events = await readTrace(trace, data);

  const random = createRandom(options.seed);
  const model = createModel(random);
  const ledger = createLedger();
  const faults: string[] = [...written.ledger.faults];
  let bad = 0;
  let done = 0;
  for (const [image, place] of places(images, events.length, random).entries()) {
    for (const event of events.slice(done, place)) {
      model.step(event);
      if (event.kind === 'message') enter(ledger, JSON.parse(event.text) as WriterAnswer);
    }
    done = place;
    const cut = CUTS[image % CUTS.length]?.(random) ?? { kept: 0, torn: 0 };
    const found = join(folder.path, `image-${image}`);
    await put(found, model.image(cut));
    const wrong = await reopen({ data: found, ledger, resend: false });
    faults.push(...wrong.map((fault) => `image ${image}, cut after ${place} of ${events.length} events: ${fault}`));
    if (wrong.length > 0) bad++;
    await rm(found, { recursive: true });
  }
  const { acked } = written.ledger;
  return { faults, bad, acked: acked.size, refused: written.refused, checkpoints: countCheckpoints(events) };
}
