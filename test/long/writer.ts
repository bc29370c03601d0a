import { writeSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Errand, openErrand } from '../../packages/server/src/compose.ts';
import { createLog } from '../../packages/server/src/observability/log.ts';
import { createRandom } from '../e2e/durability/random.ts';
import { PLANTS } from './plants.ts';
import { keysOf, type WriterAnswer, type WriterOptions } from './run-writer.ts';

// Errand in its own process, without a transport: adds tasks in groups, and reports each answer in one system call.
const options = JSON.parse(process.argv[2] ?? '') as WriterOptions; // from `runWriter`, which takes nothing else
const { path, writes, seed, tries, plant } = options;
const OPENINGS = 3;
const MAX_GROUP = 8;
const DUPLICATES = 0.3;
const BETWEEN_TRIES_MS = 5;

if (plant !== undefined) PLANTS[plant]();

const tell = (answer: WriterAnswer): void => {
  // One system call on file descriptor 1: the trace then shows it in order with the writes of the database.
  writeSync(1, `${JSON.stringify(answer)}\n`);
};

const random = createRandom(seed);
const keys = keysOf(writes);

/** Opens Errand as a supervisor would: tries again when it failed. */
async function open(attempt = 1): Promise<Errand> {
  try {
    const log = createLog({ level: 'silent', fd: 2 });
    return await openErrand({ database: { kind: 'sqlite', path }, plane: null, allow_anonymous: false }, log);
  } catch (error) {
    if (attempt >= tries) throw error;
    return open(attempt + 1);
  }
}

async function writeAll(mine: readonly string[]): Promise<void> {
  const errand = await open();
  const { gateway } = errand;
  const caller = await gateway.local();
  const tool = gateway.find('add_task', 'todo');
  if (tool === undefined) throw new Error('There is no add_task.');

  const add = async (key: string): Promise<void> => {
    for (let attempt = 0; attempt < tries; attempt++) {
      if (attempt > 0) await sleep(BETWEEN_TRIES_MS);
      const input = { user_id: 'me', title: key, idempotency_key: key };
      const outcome = await gateway.dispatch({ caller, tool, input, transport: 'cli' });
      if (outcome.ok) return tell({ key, task_id: (JSON.parse(outcome.json) as { task_id: string }).task_id });
      tell({ key, code: outcome.error.code, retryable: outcome.error.retryable });
    }
  };

  for (let first = 0; first < mine.length; ) {
    const group = mine.slice(first, first + random.between(1, MAX_GROUP));
    first += group.length;
    await Promise.all([...group, ...group.filter(() => random.next() < DUPLICATES)].map(add));
  }
  await errand.close();
}

// Open several times: closing checkpoints and removes the log, opening creates it again.
const each = Math.ceil(writes / OPENINGS);
for (let opening = 0; opening < OPENINGS; opening++) await writeAll(keys.slice(opening * each, (opening + 1) * each));
