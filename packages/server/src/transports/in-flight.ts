import type { ServerResponse } from 'node:http';

const SLOT = Symbol('slot');
type Slotted = ServerResponse & { [SLOT]?: number | undefined };

/** The answers that are not complete. */
export interface InFlight extends Iterable<ServerResponse> {
  readonly size: number;
  readonly add: (res: ServerResponse) => void;
  readonly delete: (res: ServerResponse) => void;
}

/**
 * A list in which each answer knows its slot. A `Set` grows by replacing its table, and each replaced table leads to the
 * next one: from one old table the garbage collector would keep the answers of all later ones, seconds after they ended.
 */
export function createInFlight(): InFlight {
  const slots: Slotted[] = [];

  return {
    get size() {
      return slots.length;
    },
    add: (res: Slotted) => {
      res[SLOT] = slots.length;
      slots.push(res);
    },
    delete: (res: Slotted) => {
      const slot = res[SLOT];
      const last = slots.at(-1);
      if (slot === undefined || last === undefined) return;
      slots[slot] = last;
      last[SLOT] = slot;
      slots.pop();
      res[SLOT] = undefined;
    },
    [Symbol.iterator]: () => [...slots][Symbol.iterator](),
  };
}
