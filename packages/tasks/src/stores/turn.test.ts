import { expect, it } from 'vitest';
import { storeClosed } from './store-away.ts';
import { createTurn, type Work } from './turn.ts';

interface Named extends Work {
  readonly name: string;
  readonly resolve: (name: string) => void;
}

function aTurn(lanes: number, run: (works: readonly Named[]) => Promise<void>) {
  const turn = createTurn<Named>({ run, lanes });
  const add = (name: string, bytes = 1): Promise<string> =>
    new Promise((resolve, reject) => turn.add({ name, bytes, resolve, reject }));
  return { add, close: turn.close };
}

const resolveAll = (works: readonly Named[]): void => {
  for (const work of works) work.resolve(work.name);
};

it('[S1] does in one go what one turn of the event loop asks for', async () => {
  const runs: string[][] = [];
  const { add } = aTurn(1, async (works) => {
    runs.push(works.map(({ name }) => name));
    resolveAll(works);
  });

  await Promise.all(['a', 'b', 'c'].map((name) => add(name)));
  await add('d');

  expect(runs).toEqual([['a', 'b', 'c'], ['d']]);
});

it('[S1] splits what is too much for one go, and loses none of it', async () => {
  const sizes: number[] = [];
  const { add } = aTurn(1, async (works) => {
    sizes.push(works.length);
    resolveAll(works);
  });

  const names = Array.from({ length: 300 }, (_, i) => String(i));
  const answers = await Promise.all(names.map((name) => add(name)));
  await Promise.all(['x', 'y', 'z'].map((name) => add(name, 3_000_000)));

  expect(answers).toEqual(names);
  expect(sizes).toEqual([128, 128, 44, 1, 1, 1]);
});

it('[S14] tells all who were not told yet when a run fails, and goes on with the next', async () => {
  let fails = true;
  const { add } = aTurn(1, async (works) => {
    works[0]?.resolve('told');
    if (fails) throw new Error('away');
    resolveAll(works);
  });

  const settled = await Promise.allSettled([add('a'), add('b')]);
  fails = false;

  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(await add('c')).toBe('told');
});

it('[S13] has no more runs under way than there are lanes', async () => {
  let under_way = 0;
  let most = 0;
  const { add } = aTurn(2, async (works) => {
    under_way += 1;
    most = Math.max(most, under_way);
    await new Promise((resolve) => setTimeout(resolve, 5));
    under_way -= 1;
    resolveAll(works);
  });

  await Promise.all(Array.from({ length: 600 }, (_, i) => add(String(i))));

  expect(most).toBe(2);
});

it('[S1, S14] finishes what was asked for before it closes, and takes nothing afterwards', async () => {
  const { add, close } = aTurn(1, async (works) => resolveAll(works));

  const early = add('early');
  await close();
  const late = add('late');

  expect(await early).toBe('early');
  await expect(late).rejects.toMatchObject({ code: 'store_unavailable' });
});

it('[S14] fails those that wait too when the backend is away, so that waits do not add up', async () => {
  const began = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let runs = 0;
  const { add } = aTurn(1, async () => {
    runs += 1;
    began.resolve();
    await held.promise;
    throw storeClosed();
  });

  const first = add('first');
  await began.promise;
  const second = add('second');
  held.resolve();

  const settled = await Promise.allSettled([first, second]);
  expect(settled).toMatchObject(Array(2).fill({ reason: { code: 'store_unavailable' } }));
  expect(runs).toBe(1);
});
