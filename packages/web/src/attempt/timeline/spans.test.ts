import { expect, it } from 'vitest';
import { binned, signsOf, timesOf, within } from './spans.ts';

const MINUTE = 60_000;
const sign = (minutes: number, isQuestion = false) => ({ at: minutes * MINUTE, isQuestion });
const run = { from: 0, to: 10 * MINUTE };

it('counts silence of more than a minute', () => {
  const { silences, quiet, working } = timesOf(
    run,
    [0.5, 1.5, 4, 5, 6, 7, 8, 9].map((each) => sign(each)),
  );

  expect(silences).toEqual([{ from: 1.5 * MINUTE, to: 4 * MINUTE }]);
  expect([quiet, working]).toEqual([2.5 * MINUTE, 7.5 * MINUTE]);
});

it('counts the time after a question as waiting, however short', () => {
  const { waits, silences, waiting } = timesOf({ from: 0, to: 4 * MINUTE }, [
    sign(1, true),
    sign(1.2),
    sign(2, true),
    sign(4),
  ]);

  expect(waits).toEqual([
    { from: MINUTE, to: 1.2 * MINUTE },
    { from: 2 * MINUTE, to: 4 * MINUTE },
  ]);
  expect(silences).toEqual([]);
  expect(waiting).toBeCloseTo(2.2 * MINUTE);
});

it('waits until now when the last question has no answer', () => {
  expect(timesOf({ from: 0, to: 3 * MINUTE }, [sign(1, true)]).waits).toEqual([{ from: MINUTE, to: 3 * MINUTE }]);
});

it('says nothing of what is not loaded', () => {
  const known = timesOf(run, [sign(8), sign(9)], 8 * MINUTE);

  expect(known.silences).toEqual([]);
  expect(known.working).toBe(10 * MINUTE);
});

it('orders steps and entries by time, and a question after entries of the same time', () => {
  const step = { started_at: '2026-01-01T00:00:01Z', updated_at: '2026-01-01T00:00:01Z', ended_at: null };
  const signs = signsOf(
    [step],
    [
      { at: '2026-01-01T00:00:01Z', kind: 'question' },
      { at: '2026-01-01T00:00:00Z', kind: 'message' },
    ],
  );

  expect(signs.map(({ isQuestion }) => isQuestion)).toEqual([false, false, true]);
});

it('cuts a span to another', () => {
  expect(within({ from: 1, to: 5 }, { from: 3, to: 9 })).toEqual({ from: 3, to: 5 });
  expect(within({ from: 1, to: 3 }, { from: 3, to: 9 })).toBeNull();
});

it('counts moments in equal parts, and leaves out those outside', () => {
  expect(binned([0, 1, 9, 10, -1], { from: 0, to: 10 }, 2)).toEqual([2, 1]);
});
