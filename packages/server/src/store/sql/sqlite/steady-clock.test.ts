import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSteadyClock } from './steady-clock.ts';

const HOUR = 3_600_000;

function aMachine(mark = 0) {
  const machine = { wall: 10 * HOUR, elapsed: 0 };
  const now = createSteadyClock({ clock: () => machine.wall, mark, elapsed: () => machine.elapsed });
  const pass = (ms: number): void => {
    machine.wall += ms;
    machine.elapsed += ms;
  };
  return { machine, now, pass };
}

it('returns the machine’s time', () => {
  const { now, pass } = aMachine();
  const first = now();

  pass(1500);

  expect([first, now()]).toEqual([10 * HOUR, 10 * HOUR + 1500]);
});

it('continues at the same pace when the machine’s clock is set back', () => {
  const { machine, now, pass } = aMachine();
  now();

  machine.wall -= 3 * HOUR;
  pass(2000);
  const back = now();
  pass(3 * HOUR);

  expect([back, now()]).toEqual([10 * HOUR + 2000, 13 * HOUR + 2000]);
});

it('follows the machine’s clock again when that has caught up', () => {
  const { machine, now } = aMachine();
  now();
  machine.wall -= HOUR;
  now();

  machine.wall += 2 * HOUR;

  expect(now()).toBe(11 * HOUR);
});

it('begins no earlier than the mark', () => {
  const { now, pass } = aMachine(12 * HOUR);

  pass(1000);

  expect(now()).toBe(12 * HOUR + 1000);
});

it('never goes back, whatever happens to the machine’s clock', () => {
  const change = fc.record({ jump: fc.integer({ min: -HOUR, max: HOUR }), pass: fc.nat(10_000) });

  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const { machine, now, pass } = aMachine();
      const said = changes.map((it) => {
        machine.wall += it.jump;
        pass(it.pass);
        return now();
      });

      expect(said).toEqual(said.toSorted((a, b) => a - b));
    }),
  );
});
