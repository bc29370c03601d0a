import { describe, expect, it } from 'vitest';
import { Clock, type Timers } from './clock.ts';

class FakeTimers implements Timers {
  time = 1_000;
  readonly running = new Map<number, { milliseconds: number; run: () => void }>();
  #next = 0;

  now() {
    return this.time;
  }

  every(milliseconds: number, run: () => void) {
    this.#next += 1;
    this.running.set(this.#next, { milliseconds, run });
    return this.#next;
  }

  stop(timer: unknown) {
    this.running.delete(timer as number);
  }

  beat(milliseconds: number) {
    this.time += milliseconds;
    for (const timer of [...this.running.values()]) {
      if (timer.milliseconds === milliseconds) {
        timer.run();
      }
    }
  }
}

describe('Clock', () => {
  it('runs one timer for any number of listeners, and none when the last one leaves', () => {
    const timers = new FakeTimers();
    const clock = new Clock(timers);
    const leave = Array.from({ length: 2_000 }, () => clock.listen('minute', () => {}));
    expect(timers.running.size).toBe(1);
    for (const go of leave) {
      go();
    }
    expect(timers.running.size).toBe(0);
  });

  it('wakes those who listen for seconds without those who listen for minutes', () => {
    const timers = new FakeTimers();
    const clock = new Clock(timers);
    const heard: string[] = [];
    clock.listen('second', () => heard.push('second'));
    clock.listen('minute', () => heard.push('minute'));
    timers.beat(1_000);
    timers.beat(1_000);
    timers.beat(15_000);
    expect(heard).toEqual(['second', 'second', 'minute']);
  });

  it('answers the same time between two beats, and the true time when it stands still', () => {
    const timers = new FakeTimers();
    const clock = new Clock(timers);
    const stop = clock.listen('second', () => {});
    timers.time += 400;
    expect(clock.now()).toBe(1_000);
    timers.beat(1_000);
    expect(clock.now()).toBe(2_400);
    stop();
    timers.time += 70;
    expect(clock.now()).toBe(2_470);
  });
});
