import { z } from 'zod';
import { say, textOf } from '#advice';
import { refusal } from '#domain/refusal';
import { LOOK_AGAIN_MS, OfferedExecutor } from '#domain/worker';
import { ErrandError } from '#errors';
import type { ReadWork } from '#services/work';
import type { Reads } from '#store/store';

const Offer = z.array(OfferedExecutor);

const NOBODY_RUNS = say`Nothing runs attempts here: start ${{ command: 'serve' }} or ${{ command: 'worker' }}.`;
const NONE_OFFERED =
  'No agent is offered: add one to config.json, or install an agent on the machine that runs attempts.';

/** The executors that live workers offer. Of several offers of one executor, a ready one counts. */
async function offers(tx: Reads): Promise<ReadonlyMap<string, OfferedExecutor> | null> {
  const workers = await tx.workers.live();
  if (workers.length === 0) return null;
  const known = new Map<string, OfferedExecutor>();
  for (const offered of workers.flatMap(({ executors }) => Offer.parse(JSON.parse(executors)))) {
    if (known.get(offered.executor)?.is_ready !== true) known.set(offered.executor, offered);
  }
  return known;
}

function mustHaveVariant({ executor, variants }: OfferedExecutor, variant: string): void {
  if (variants.includes(variant)) return;
  throw refusal(
    'variant',
    `${executor} has no variant of that name`,
    variants.length === 0
      ? say`Leave ${{ field: 'variant' }} out: it has none.`
      : say`Leave ${{ field: 'variant' }} out, or give one of: ${variants.join(', ')}.`,
    { variants },
  );
}

async function someOffers(tx: Reads): Promise<ReadonlyMap<string, OfferedExecutor>> {
  const known = await offers(tx);
  if (known === null) throw new ErrandError('executor_unavailable', NOBODY_RUNS);
  return known;
}

/** The names of all executors that live workers offer. */
export const offeredNames = async (tx: Reads): Promise<readonly string[]> => [...(await someOffers(tx)).keys()];

/** Refuses the name of an unknown executor. */
export async function mustBeOffered(
  tx: Reads,
  executor: string,
  field: 'executor' | 'executors' = 'executor',
): Promise<void> {
  const executors = await offeredNames(tx);
  if (executors.includes(executor)) return;
  throw refusal(
    field,
    field === 'executor' ? 'names none that is offered here' : `${executor} is not offered here`,
    executors.length === 0 ? NONE_OFFERED : `Give one of: ${executors.join(', ')}.`,
    { executors },
  );
}

/** Refuses an executor that cannot start now, and a variant that it does not have. */
export async function mustBeReady(tx: Reads, executor: string, variant: string | null): Promise<void> {
  const offered = (await someOffers(tx)).get(executor);
  if (offered === undefined) {
    throw new ErrandError('executor_unavailable', `Nothing that runs attempts here offers ${executor} now.`, {
      hint: say`${{ call: 'list_executors' }} for others, and ${{ tool: 'start_task_attempt' }} with one of them.`,
    });
  }
  if (!offered.is_ready) {
    const problem = offered.problem ?? 'It does not say why.';
    throw new ErrandError('executor_unavailable', `${executor} cannot run now: ${problem}`, {
      hint: [
        `Mend that where it runs: agents are checked every ${LOOK_AGAIN_MS / 1000} seconds.`,
        say`${{ call: 'list_executors' }} for others.`,
      ],
    });
  }
  if (variant !== null) mustHaveVariant(offered, variant);
}

/** Refuses a variant that the executor does not have. An executor that no worker offers now may be back when the run begins. */
export async function mayHaveVariant(tx: Reads, executor: string, variant: string): Promise<void> {
  const offered = (await offers(tx))?.get(executor);
  if (offered !== undefined) mustHaveVariant(offered, variant);
}

/** The executors with which attempts can be started. */
export const createOfferedExecutors = () => ({
  list: async ({
    tx,
  }: ReadWork): Promise<{ readonly executors: readonly OfferedExecutor[]; readonly note: string | null }> => {
    const known = await offers(tx);
    if (known === null) return { executors: [], note: textOf(NOBODY_RUNS) };
    return { executors: [...known.values()], note: known.size === 0 ? NONE_OFFERED : null };
  },
});
