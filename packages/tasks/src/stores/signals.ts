import type { Signal, TaskStore } from '#store';

export interface Signals {
  readonly tell: (signal: Signal) => void;
  readonly subscribe: TaskStore['subscribe'];
  readonly clear: () => void;
}

/** Delivers signals to the listeners of this process. */
export function createSignals(): Signals {
  const listeners = new Map<symbol, (signal: Signal) => void>();

  return {
    tell: (signal) => {
      for (const [key] of listeners) {
        // Deliver apart from the write: a listener that throws must not make a durable write look failed.
        queueMicrotask(() => listeners.get(key)?.(signal));
      }
    },
    subscribe: (listener) => {
      const key = Symbol('listener');
      listeners.set(key, listener);
      return () => {
        listeners.delete(key);
      };
    },
    clear: () => listeners.clear(),
  };
}
