import { isFull, type Moved, moveSome } from '#store/sql/repositories/outbox';
import type { GroupSession } from '#store/sql/session';

const RETRY_MS = 1000;

interface MoverOptions {
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

export function createMover({ begin, onMoved }: MoverOptions): Mover {
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  async function moveOnce(): Promise<boolean> {
    const session = await begin();
    let moved: Moved;
    try {
      moved = await moveSome(session);
      await session.settle();
    } catch (error) {
      await session.rollback();
      throw error;
    }
    try {
      await session.commit();
    } catch (error) {
      await session.rollback();
      throw error;
    }
    if (moved.head !== null) onMoved(moved.head);
    return isFull(moved);
  }

  async function moveAll(): Promise<void> {
    do {
      isWanted = false;
      while (await moveOnce());
    } while (isWanted);
  }

  function start(): Promise<void> {
    running ??= moveAll().finally(() => {
      running = undefined;
    });
    return running;
  }

  // What was left stays in the database: it is moved when that answers again, by this server or another.
  const again = (): void => {
    if (isClosed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      kick();
    }, RETRY_MS).unref();
  };

  function kick(): void {
    isWanted = true;
    start().catch(again);
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
