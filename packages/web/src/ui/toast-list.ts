import type { ReactNode } from 'react';

export interface ToastContent {
  /** Said: something was done, or became known. Refused: it went back, and why. */
  readonly kind?: 'said' | 'refused' | undefined;
  readonly text: ReactNode;
  /** Before the text and stronger: what it is now, where the text says why. */
  readonly lead?: string | undefined;
  /** Before the text, instead of the check: an agent's tile, for what an agent did. */
  readonly mark?: ReactNode;
  /** Takes the change back. The toast then shows Undo, and the undo key does it too. */
  readonly onUndo?: (() => void) | undefined;
  /** Another thing to do, as Show. */
  readonly action?: { readonly label: string; readonly onClick: () => void } | undefined;
}

export interface Toast extends ToastContent {
  readonly id: number;
}

export interface ToastTimers {
  now(): number;
  after(milliseconds: number, run: () => void): unknown;
  stop(timer: unknown): void;
}

/** How long a toast stays. The time stands still while the mouse or the focus is on the toasts. */
export const TOAST_MS = 8_000;
/** More toasts than these would cover the page: the oldest goes. */
export const MAX_TOASTS = 3;

interface Running {
  left: number;
  since: number;
  timer: unknown;
}

/**
 * The toasts (short messages at the edge of the page) and the time that each has left; which change Undo takes back.
 */
export class ToastList {
  readonly #timers: ToastTimers;
  readonly #listeners = new Set<() => void>();
  readonly #running = new Map<number, Running>();
  #toasts: readonly Toast[] = [];
  #held = false;
  #next = 1;

  constructor(timers: ToastTimers) {
    this.#timers = timers;
  }

  readonly toasts = (): readonly Toast[] => this.#toasts;

  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly show = (content: ToastContent): number => {
    const id = this.#next;
    this.#next += 1;
    this.#running.set(id, { left: TOAST_MS, since: 0, timer: undefined });
    this.#set([...this.#toasts, { ...content, id }]);
    for (const old of this.#toasts.slice(0, -MAX_TOASTS)) {
      this.close(old.id);
    }
    if (!this.#held) {
      this.#start(id);
    }
    return id;
  };

  readonly close = (id: number): void => {
    this.#pause(id);
    this.#running.delete(id);
    this.#set(this.#toasts.filter((toast) => toast.id !== id));
  };

  /** Undoes the newest change that can be, and says whether there was one. */
  readonly undo = (): boolean => {
    const toast = this.#toasts.findLast(({ onUndo }) => onUndo !== undefined);
    if (toast === undefined) {
      return false;
    }
    this.close(toast.id);
    toast.onUndo?.();
    return true;
  };

  /** Stops all clocks while somebody reads, and starts them again with what was left. */
  readonly hold = (held: boolean): void => {
    if (held === this.#held) {
      return;
    }
    this.#held = held;
    for (const id of this.#running.keys()) {
      if (held) {
        this.#pause(id);
      } else {
        this.#start(id);
      }
    }
  };

  #start(id: number): void {
    const running = this.#running.get(id);
    if (running !== undefined) {
      running.since = this.#timers.now();
      running.timer = this.#timers.after(running.left, () => this.close(id));
    }
  }

  #pause(id: number): void {
    const running = this.#running.get(id);
    if (running?.timer !== undefined) {
      this.#timers.stop(running.timer);
      running.timer = undefined;
      running.left = Math.max(0, running.left - (this.#timers.now() - running.since));
    }
  }

  #set(toasts: readonly Toast[]): void {
    this.#toasts = toasts;
    for (const listener of [...this.#listeners]) {
      listener();
    }
  }
}
