import { describeStore } from '#store/testing/contract';
import { anId } from '#store/testing/contract/fixture';
import { openMemoryStore } from './open-memory-store.ts';

describeStore('memory', async () => {
  const time = { now: 1_700_000_000_000 };
  const commits: number[] = [];
  const store = await openMemoryStore({
    clock: () => time.now,
    ids: anId,
    onCommit: (works) => commits.push(works),
  });

  return {
    store,
    commits,
    elapse: async (ms) => {
      time.now += ms;
    },
    reopen: { gap: 'closing it forgets everything' },
    beside: { gap: 'no other process can open it' },
    [Symbol.asyncDispose]: store.close,
  };
});
