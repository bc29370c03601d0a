import { describe, expect, it } from 'vitest';
import { MAX_TOASTS, TOAST_MS, ToastList, type ToastTimers } from './toast-list.ts';

class FakeTimers implements ToastTimers {
  time = 0;
  readonly #waiting = new Map<number, { at: number; run: () => void }>();
  #next = 0;

  now() {
    return this.time;
  }

  after(milliseconds: number, run: () => void) {
    this.#next += 1;
    this.#waiting.set(this.#next, { at: this.time + milliseconds, run });
    return this.#next;
  }

  stop(timer: unknown) {
    this.#waiting.delete(timer as number);
  }

  pass(milliseconds: number) {
    this.time += milliseconds;
    for (const [id, { at, run }] of [...this.#waiting]) {
      if (at <= this.time) {
        this.#waiting.delete(id);
        run();
      }
    }
  }

  get running() {
    return this.#waiting.size;
  }
}

function list() {
  const timers = new FakeTimers();
  return { timers, toasts: new ToastList(timers) };
}

describe('ToastList', () => {
  it('shows a toast for its time and not longer', () => {
    const { timers, toasts } = list();
    toasts.show({ text: 'Moved 3 tasks to Review' });
    timers.pass(TOAST_MS - 1);
    expect(toasts.toasts()).toHaveLength(1);
    timers.pass(1);
    expect(toasts.toasts()).toEqual([]);
  });

  it('stops the clock of a toast while somebody reads it, and goes on with the remaining time', () => {
    const { timers, toasts } = list();
    toasts.show({ text: 'a' });
    timers.pass(TOAST_MS - 1_000);
    toasts.hold(true);
    timers.pass(60_000);
    expect(toasts.toasts()).toHaveLength(1);
    toasts.hold(false);
    timers.pass(999);
    expect(toasts.toasts()).toHaveLength(1);
    timers.pass(1);
    expect(toasts.toasts()).toEqual([]);
  });

  it('does not start the clock of a toast that comes while somebody reads', () => {
    const { timers, toasts } = list();
    toasts.hold(true);
    toasts.show({ text: 'a' });
    expect(timers.running).toBe(0);
    toasts.hold(false);
    timers.pass(TOAST_MS);
    expect(toasts.toasts()).toEqual([]);
  });

  it('keeps the newest few and leaves no clock behind', () => {
    const { timers, toasts } = list();
    for (let at = 0; at < MAX_TOASTS + 2; at += 1) {
      toasts.show({ text: String(at) });
    }
    expect(toasts.toasts().map(({ text }) => text)).toEqual(['2', '3', '4']);
    expect(timers.running).toBe(MAX_TOASTS);
  });

  it('undoes the newest change once, and says when there is none', () => {
    const { toasts } = list();
    const undone: string[] = [];
    toasts.show({ text: 'first', onUndo: () => undone.push('first') });
    toasts.show({ text: 'second', onUndo: () => undone.push('second') });
    toasts.show({ text: 'refused', kind: 'refused' });
    expect([toasts.undo(), toasts.undo(), toasts.undo()]).toEqual([true, true, false]);
    expect(undone).toEqual(['second', 'first']);
  });

  it('calls listeners at every change, and not after they have left', () => {
    const { toasts } = list();
    let heard = 0;
    const leave = toasts.listen(() => {
      heard += 1;
    });
    toasts.close(toasts.show({ text: 'a' }));
    expect(heard).toBe(2);
    leave();
    toasts.show({ text: 'b' });
    expect(heard).toBe(2);
  });
});
