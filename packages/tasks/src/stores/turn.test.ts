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

it('[S1] runs all works of one turn of the event loop together', async () => {
  const runs: string[][] = [];
  const { add } = aTurn(1, async (works) => {
    runs.push(works.map(({ name }) => name));
    resolveAll(works);
  });

  await Promise.all(['a', 'b', 'c'].map((name) => add(name)));
  await add('d');

  expect(runs).toEqual([['a', 'b', 'c'], ['d']]);
});

it('[S1] splits too many works into several runs, and loses none', async () => {
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

it('[S14] rejects all unsettled works when a run fails, and continues with the next run', async () => {
  let fails = true;
  const { add } = aTurn(1, async (works) => {
    works[0]?.resolve('done');
    if (fails) throw new Error('away');
    resolveAll(works);
  });

  const settled = await Promise.allSettled([add('a'), add('b')]);
  fails = false;

  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(await add('c')).toBe('done');
});

it('[S13] has at most as many active runs as lanes', async () => {
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

it('[S1, S14] finishes submitted works before it closes, and accepts none afterwards', async () => {
  const { add, close } = aTurn(1, async (works) => resolveAll(works));

  const early = add('early');
  await close();
  const late = add('late');

  expect(await early).toBe('early');
  await expect(late).rejects.toMatchObject({ code: 'store_unavailable' });
});

it('[S14] rejects queued works too when the backend is unavailable, so that timeouts do not add up', async () => {
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
