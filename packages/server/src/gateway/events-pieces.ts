import { mayHear } from '#domain/audience';
import type { Caller } from '#domain/caller';
import type { Event } from '#domain/event';
import { type EventFilter, isWanted } from './events-filter.ts';
import { eventFrame, type Frame } from './events-frames.ts';

const PIECE_BYTES = 64 * 1024;

interface Hearer {
  readonly caller: Caller;
  readonly filter: EventFilter;
  /** The last event that was considered for it. */
  readonly position: number;
}

/** A change with its text, which is made once, and only when a follower gets it. */
interface LazyFrame {
  readonly event: Event;
  readonly encode: () => { readonly frame: Frame; readonly bytes: number };
}

/** Changes that are written together, and the number that the follower has afterwards. */
export interface Piece {
  readonly frames: readonly Frame[];
  readonly last: number;
}

function lazyFrame(event: Event): LazyFrame {
  let encode: ReturnType<LazyFrame['encode']> | undefined;
  return {
    event,
    encode: () => {
      if (encode !== undefined) return encode;
      const frame = eventFrame(event);
      encode = { frame, bytes: Buffer.byteLength(frame.json) };
      return encode;
    },
  };
}

function piecesOf(lazy: readonly LazyFrame[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let frames: Frame[] = [];
  let size = 0;
  lazy.forEach(({ event: { seq }, encode }, at) => {
    const { frame, bytes } = encode();
    frames.push(frame);
    size += bytes;
    if (size < PIECE_BYTES && at < lazy.length - 1) return;
    pieces.push({ frames, last: seq });
    frames = [];
    size = 0;
  });
  return pieces;
}

/** The events of a page for each follower. Followers with the same rights and filter share the pieces. */
export function createSelection(page: readonly Event[]): (listener: Hearer) => readonly Piece[] {
  const all = page.map(lazyFrame);
  const [first] = page;
  const shared = new Map<Caller, Map<string, readonly Piece[]>>();
  const select = ({ caller, filter, position }: Hearer): readonly Piece[] =>
    piecesOf(all.filter(({ event }) => event.seq > position && isWanted(filter, event) && mayHear(caller, event)));

  return (listener) => {
    const { caller, filter } = listener;
    if (listener.position + 1 !== first?.seq) return select(listener);
    const byFilter = shared.get(caller) ?? new Map<string, readonly Piece[]>();
    shared.set(caller, byFilter);
    const pieces = byFilter.get(filter.key) ?? select(listener);
    byFilter.set(filter.key, pieces);
    return pieces;
  };
}
