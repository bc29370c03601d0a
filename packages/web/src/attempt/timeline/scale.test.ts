import { expect, it } from 'vitest';
import { beatOf, needSeconds, percentAt, scaleOf, ticksOf } from './scale.ts';

const at = (time: string): number => Date.parse(`2026-11-16T${time}Z`);

it('leaves room ahead while a run goes on, and none after it', () => {
  expect(percentAt(scaleOf(at('14:00:00'), at('14:10:00'), true), at('14:10:00'))).toBe(92);
  expect(percentAt(scaleOf(at('14:00:00'), at('14:10:00'), false), at('14:10:00'))).toBe(100);
});

it('does not draw the first seconds of a run that goes on over the whole axis', () => {
  const scale = scaleOf(at('14:00:00'), at('14:00:03'), true);

  expect(percentAt(scale, at('14:00:03'))).toBe(9.2);
});

it('draws a run that ended after seconds over the whole axis', () => {
  const [short, none] = [3, 0].map((seconds) => scaleOf(at('14:00:00'), at('14:00:00') + seconds * 1_000, false));

  expect(short && percentAt(short, at('14:00:03'))).toBe(100);
  expect(none).toEqual({ from: at('14:00:00'), to: at('14:00:01') });
});

it('keeps what lies outside at the ends', () => {
  const scale = scaleOf(at('14:00:00'), at('14:10:00'), false);

  expect([at('13:00:00'), at('15:00:00')].map((each) => percentAt(scale, each))).toEqual([0, 100]);
});

it('marks full minutes of the clock, at most eight', () => {
  const ticks = ticksOf(scaleOf(at('14:02:10'), at('14:15:00'), false), 'clock', 0);

  expect(ticks.map((tick) => new Date(tick).toISOString().slice(11, 19))).toEqual([
    '14:04:00',
    '14:06:00',
    '14:08:00',
    '14:10:00',
    '14:12:00',
    '14:14:00',
  ]);
});

it('marks local hours where the clock is half an hour off', () => {
  const [first] = ticksOf(scaleOf(at('14:02:10'), at('20:00:00'), false), 'clock', -330 * 60_000);

  // 14:30 UTC is 20:00 there.
  expect(first).toBe(at('14:30:00'));
});

it('marks the time since the beginning from zero', () => {
  expect(ticksOf(scaleOf(at('14:02:10'), at('14:03:10'), false), 'elapsed')[0]).toBe(at('14:02:10'));
});

it('needs seconds at marks that are less than a minute apart', () => {
  expect(needSeconds([0, 10_000])).toBe(true);
  expect(needSeconds([0, 60_000])).toBe(false);
});

it('moves a long axis less often', () => {
  expect(beatOf(60_000)).toBe(1_000);
  expect(beatOf(3_600_000)).toBe(7_000);
});
