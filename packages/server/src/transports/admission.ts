import type { IncomingMessage, ServerResponse } from 'node:http';
import { ErrandError } from '#errors';
import { createFairQueue } from './fair-queue.ts';
import { createShares, type Shares } from './shares.ts';
import type { Traffic } from './traffic.ts';

const RETRY_AFTER_MS = 1_000;

/** Callers without a token share this part of the memory that callers with a token have. */
const TOKENLESS_PART = 1 / 4;

const busy = (code: 'rate_limited' | 'overloaded', message: string): ErrandError =>
  new ErrandError(code, message, { retry_after_ms: RETRY_AFTER_MS });

/** The holder of a place: a token, or the address of requests without one. */
export interface Holder {
  readonly key: string;
  readonly has_token: boolean;
}

/** The resources of one kind of caller (with or without a token), divided among them. */
interface Pool {
  readonly places: Shares;
  readonly bodies: Shares;
  readonly unread: Shares;
}

/** The place of one request, from its headers until its answer is read. */
export interface Admission {
  /** Resolves when it is this caller's turn; rejects with `rate_limited` when it has too much unread or waits too long. */
  readonly turn: () => Promise<void>;
  /** Resolves when so many bytes of a body may be held in memory; they are freed with the place. */
  readonly keepBody: (bytes: number) => Promise<void>;
  /**
   * Counts bytes that the client has not read, until the connection has sent them or the returned function is called. Cuts
   * the connection when no memory is left for it.
   */
  readonly holdUnread: (res: ServerResponse) => () => void;
  /** Frees the place. A second call does nothing. */
  readonly leave: () => void;
}

export interface Admissions {
  /** Throws `rate_limited` when this caller already has its share, `overloaded` when all places are taken. */
  readonly admit: (req: IncomingMessage, holder: Holder) => Admission;
}

/** A request with its place. A field, because the garbage collector has more work with a WeakMap. */
const PLACE = Symbol('place');
type AdmittedRequest = IncomingMessage & { [PLACE]?: Admission };

/** Returns the place of a request; none for a request that did not come through the listener. */
export const admissionOf = (req: AdmittedRequest): Admission | undefined => req[PLACE];

/** Divides places, memory and time among callers, so that a caller that misbehaves does not slow down the others. */
export function createAdmissions(limits: Traffic): Admissions {
  const poolOf = (requests: number, part: number): Pool => ({
    places: createShares({ most: requests }),
    bodies: createShares({ most: limits.max_body_memory * part }),
    unread: createShares({ most: limits.max_unread_memory * part }),
  });
  const withToken = poolOf(limits.max_requests, 1);
  const tokenless = poolOf(limits.max_tokenless_requests, TOKENLESS_PART);
  const queue = createFairQueue(limits);
  const bodyWaits = createWaits(limits.max_wait_ms);

  function admit(req: AdmittedRequest, { key, has_token }: Holder): Admission {
    const { places, bodies, unread } = has_token ? withToken : tokenless;
    if (!places.take(key)) {
      throw places.isFull()
        ? busy('overloaded', 'Too many requests are running. Try again.')
        : busy(
            'rate_limited',
            `Too many requests of ${has_token ? 'this token' : 'your address'} are running. Try again.`,
          );
    }
    let hasPlace = true;
    let body_bytes = 0;

    function checkUnread(): void {
      if (!unread.hasRoom(key))
        throw busy('rate_limited', 'Answers are waiting to be read. Read them, then try again.');
    }

    const admission: Admission = {
      turn: async () => {
        checkUnread();
        await queue.take(key);
        checkUnread();
      },
      keepBody: async (bytes) => {
        await bodyWaits.until(() => !hasPlace || bodies.take(key, bytes));
        if (hasPlace) body_bytes += bytes;
      },
      holdUnread: (res) => {
        let bytes = res.destroyed ? 0 : res.writableLength;
        if (bytes === 0) return () => {};
        const release = (): void => {
          res.off('close', release);
          unread.leave(key, bytes);
          bytes = 0;
        };
        unread.add(key, bytes);
        res.on('close', release);
        if (unread.isFull()) res.destroy();
        return release;
      },
      leave: () => {
        if (!hasPlace) return;
        hasPlace = false;
        places.leave(key);
        if (body_bytes > 0) bodies.leave(key, body_bytes);
        bodyWaits.look();
      },
    };
    req[PLACE] = admission;
    return admission;
  }

  return { admit };
}

/** Requests that wait for memory for their body, in order of arrival. One that does not fit does not block the next. */
function createWaits(max_wait_ms: number) {
  interface Wait {
    readonly isOver: () => boolean;
    readonly until: number;
    readonly go: () => void;
    readonly refuse: (error: ErrandError) => void;
  }
  let waits: readonly Wait[] = [];
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    if (waits.length === 0) return;
    const now = performance.now();
    waits = waits.filter(({ isOver, until, go, refuse }) => {
      if (isOver()) go();
      else if (now > until)
        refuse(busy('rate_limited', 'Other bodies of this caller take its memory. Send fewer at once.'));
      else return true;
      return false;
    });
    if (waits.length > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    look,
    until: (isOver: () => boolean): Promise<void> =>
      new Promise((go, refuse) => {
        if (isOver()) return go();
        waits = [...waits, { isOver, until: performance.now() + max_wait_ms, go, refuse }];
        timer ??= setInterval(look, 1_000).unref();
      }),
  };
}
