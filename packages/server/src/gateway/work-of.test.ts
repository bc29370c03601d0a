import { expect, it } from 'vitest';
import type { Settled } from './admit.ts';
import { createChanges } from './audit.ts';
import { LazyCall } from './lazy-call.ts';
import { changeWork, readWork } from './work-of.ts';

const gettersOf = (thing: object): string[] =>
  Object.entries(Object.getOwnPropertyDescriptors(thing)).flatMap(([name, { get }]) =>
    get === undefined ? [] : [name],
  );

// The hidden class of an object with a getter of its own lives until the next full garbage collection, and all that the
// getter knows with it: under load that is most of the heap.
it('gives a call no own getters', () => {
  const asked = { caller: {}, tool: {}, input: {}, transport: 'rest' } as unknown as ConstructorParameters<
    typeof LazyCall
  >[0];
  const call = new LazyCall(asked, () => AbortSignal.abort());
  const settled = { call, subject: 'ann', needed: [] } as unknown as Settled;
  const changing = { tx: {}, keyed: null, changes: createChanges(), randomId: () => 'one', transaction: () => {} };

  const works = [readWork(settled, {} as never), changeWork(settled, changing as never)];

  expect([call, ...works].flatMap(gettersOf)).toEqual([]);
  expect(works.map(({ signal }) => signal?.aborted)).toEqual([true, true]);
  expect(changeWork(settled, changing as never).operation_id).toBe('one');
});
