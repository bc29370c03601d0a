import { isDeepStrictEqual } from 'node:util';
import type { TaskRecord } from '../../../packages/tasks/src/task.ts';
import { OUTPUT, STEPS } from './deploy.ts';
import type { Entry } from './journal.ts';

/** Checks one task against the journal. Returns the broken promises. */
export function judge(journal: readonly Entry[], owner_id: string, record: TaskRecord | null): readonly string[] {
  const entries = journal.filter((entry) => entry.owner_id === owner_id);
  const faults = [...effectFaults(entries), ...writeFaults(entries), ...endFaults(record)];
  return faults.map((fault) => `${owner_id}: ${fault}`);
}

function effectFaults(entries: readonly Entry[]): readonly string[] {
  const effects = entries.filter((entry) => entry.kind === 'effect').map(({ step }) => step);
  const missing = STEPS.filter((step) => !effects.includes(step)).map((step) => `${step} had no effect`);

  // A later step has started, so this one was done.
  const order = effects.map((step) => (STEPS as readonly string[]).indexOf(step));
  const back = effects
    .filter((_, i) => (order[i] ?? 0) < Math.max(...order.slice(0, i)))
    .map((step) => `${step} ran again after a later step`);

  const again = entries.flatMap((entry, i) =>
    entry.kind === 'effect' && isDoneIn(entries.slice(0, i), entry.step) ? [`${entry.step} ran again when done`] : [],
  );
  return [...missing, ...back, ...again];
}

const isDoneIn = (entries: readonly Entry[], step: string): boolean =>
  entries.some((entry) => entry.kind === 'write' && entry.steps.includes(step));

function writeFaults(entries: readonly Entry[]): readonly string[] {
  const writes = entries.filter((entry) => entry.kind === 'write').toSorted((a, b) => a.version - b.version);
  const twice = writes.filter(({ version }, i) => writes[i - 1]?.version === version);
  const stale = writes.filter(({ epoch }, i) => (writes[i - 1]?.epoch ?? 0) > epoch);
  const ends = writes.filter(({ ended }) => ended).length;
  const late = writes.findIndex(({ ended }) => ended);
  const gone = entries.filter(({ kind }) => kind === 'gone').length;
  const epoch = Math.max(0, ...writes.map((write) => write.epoch));
  return [
    ...twice.map(({ version }) => `version ${version} was written twice`),
    ...stale.map(({ version, epoch: by }) => `version ${version} is by worker ${by}, which was taken over`),
    ...(ends > 1 ? [`it ended ${ends} times`] : []),
    ...(late >= 0 && late < writes.length - 1 ? ['it was changed after its end'] : []),
    ...(epoch > gone + 1 ? [`it was taken ${epoch} times, and ${gone} workers were gone`] : []),
  ];
}

function endFaults(record: TaskRecord | null): readonly string[] {
  if (record?.outcome?.kind !== 'result') return [`it ended as ${JSON.stringify(record?.outcome ?? record?.status)}`];
  const { structuredContent } = record.outcome.result;
  return [
    ...(record.status === 'completed' ? [] : [`it is ${record.status}`]),
    ...(isDeepStrictEqual(structuredContent, OUTPUT) ? [] : [`its output is ${JSON.stringify(structuredContent)}`]),
    ...(isDeepStrictEqual(Object.keys(record.inputs), ['approve']) ? [] : ['it asked something else']),
  ];
}
