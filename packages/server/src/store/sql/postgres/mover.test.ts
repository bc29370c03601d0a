import { expect, it } from 'vitest';
import { createMover } from './mover.ts';

it('looks again for who asks at any moment of a look that goes on', async () => {
  const seen: boolean[] = [];
  for (let moment = 0; moment < 12; moment += 1) {
    let hasCommitted = false;
    let wasSeen = false;
    const mover = createMover({
      hasLeft: async () => {
        wasSeen ||= hasCommitted;
        return false;
      },
      begin: () => Promise.reject(new Error('Nothing waits.')),
      onMoved: () => {},
    });
    const first = mover.settled();
    for (let turn = 0; turn < moment; turn += 1) await Promise.resolve();

    hasCommitted = true;
    await mover.settled();

    seen.push(wasSeen);
    await first;
    await mover.close();
  }

  expect(seen).toEqual(Array(12).fill(true));
});
