import { isFull, type Moved, moveSome } from '#store/sql/repositories/outbox';
import type { GroupSession } from '#store/sql/session';

// Most of what was left is taken along by the next writer that gives places: a transaction for it alone costs more.
const PAUSE_MS = 3;

interface MoverOptions {
  /** Whether rows wait, also those that another server is moving and has not committed. */
  readonly hasLeft: () => Promise<boolean>;
  readonly begin: () => Promise<GroupSession>;
  /** Called with the number of the last event that was moved. */
  readonly onMoved: (head: number) => void;
}

/** Gives what writers have left its place in the audit trail and among the events, soon after their commits. */
export interface Mover {
  /** Says that something was left. */
  readonly kick: () => void;
  /** Resolves when everything that was committed before the call has its place. */
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export function createMover({ hasLeft, begin, onMoved }: MoverOptions): Mover {
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  async function moveOnce(): Promise<boolean> {
    const session = await begin();
    let moved: Moved;
    try {
      moved = await moveSome(session);
      await session.commit();
    } catch (error) {
      await session.rollback();
      throw error;
    }
    if (moved.head !== null) onMoved(moved.head);
    return isFull(moved);
  }

  async function moveAll(): Promise<void> {
    try {
      do {
        isWanted = false;
        if (await hasLeft()) while (await moveOnce());
      } while (isWanted);
    } finally {
      // In the same step as the last look at `isWanted`: who asks after that step begins anew.
      running = undefined;
    }
  }

  function start(): Promise<void> {
    running ??= moveAll();
    return running;
  }

  function kick(): void {
    if (isClosed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      isWanted = true;
      // What was left stays in the database, where the next regular looks of any server find it.
      start().catch(() => {});
    }, PAUSE_MS).unref();
  }

  return {
    kick,
    settled: async () => {
      isWanted = true;
      await start();
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await running?.catch(() => {});
    },
  };
}
