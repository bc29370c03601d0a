import { say } from '#advice';
import { refusal } from '#domain/refusal';
import type { Reads } from '#store/store';
import { mustBeOffered, mustBeReady, offeredNames } from './offered-executors.ts';

export interface WantedExecutor {
  readonly executor: string;
  readonly variant: string | null;
}

interface ExecutorChoice {
  readonly executor?: string | undefined;
  readonly variant?: string | undefined;
  readonly executors?: readonly string[] | undefined;
}

/** Reads `name` or `name:variant`. The name of an executor may have a colon itself. */
function parted(known: ReadonlySet<string>, text: string): WantedExecutor {
  const colon = text.lastIndexOf(':');
  if (known.has(text) || colon < 1) return { executor: text, variant: null };
  return { executor: text.slice(0, colon), variant: text.slice(colon + 1) };
}

async function severalOf(tx: Reads, { variant, executors = [] }: ExecutorChoice): Promise<readonly WantedExecutor[]> {
  if (variant !== undefined) {
    throw refusal('variant', 'is for one executor', say`Write it into ${{ field: 'executors' }}, as in name:variant.`);
  }
  if (new Set(executors).size < executors.length) throw refusal('executors', 'names an executor twice');
  const known = new Set(await offeredNames(tx));
  return executors.map((text) => parted(known, text));
}

/** The executors of a call, one for each attempt. Refuses those that are not offered or cannot start now. */
export async function wantedExecutors(tx: Reads, choice: ExecutorChoice): Promise<readonly WantedExecutor[]> {
  const { executor, variant, executors } = choice;
  if ((executor === undefined) === (executors === undefined)) {
    throw refusal('executor', say`give either ${{ field: 'executor' }} or ${{ field: 'executors' }}`);
  }
  const wanted =
    executor === undefined
      ? await severalOf(tx, choice)
      : [{ executor, variant: variant === undefined ? null : variant }];
  for (const one of wanted) {
    await mustBeOffered(tx, one.executor, executor === undefined ? 'executors' : 'executor');
    await mustBeReady(tx, one.executor, one.variant);
  }
  return wanted;
}
