import type { Random } from '../../e2e/durability/random.ts';
import type { Event } from './trace.ts';

const SECTOR = 512;

type Change =
  | { readonly kind: 'write'; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly size: number };

interface Inode {
  durable: Buffer;
  /** Unsynced changes: a power cut keeps an arbitrary part of them. */
  pending: Change[];
}

type Entries = ReadonlyMap<string, Inode>;

/** How much of the unsynced changes a power cut keeps. */
export interface Cut {
  /** The chance of each change to be kept, at least in parts. */
  readonly kept: number;
  /** The chance of a kept change to be torn between sectors. */
  readonly torn: number;
}

function apply(content: Buffer, changes: readonly Change[]): Buffer {
  const ends = changes.map((change) => (change.kind === 'truncate' ? change.size : change.at + change.bytes.length));
  const changed = Buffer.alloc(Math.max(content.length, ...ends));
  content.copy(changed);
  let size = content.length;
  for (const change of changes) {
    if (change.kind === 'write') {
      change.bytes.copy(changed, change.at);
      size = Math.max(size, change.at + change.bytes.length);
    } else {
      changed.fill(0, change.size);
      size = change.size;
    }
  }
  return changed.subarray(0, size);
}

function tear(change: Change, random: Random): readonly Change[] {
  if (change.kind === 'truncate') return [change];
  const parts: Change[] = [];
  for (let from = 0; from < change.bytes.length; ) {
    const at = change.at + from;
    const length = Math.min(SECTOR - (at % SECTOR), change.bytes.length - from);
    if (random.next() < 0.5) parts.push({ kind: 'write', at, bytes: change.bytes.subarray(from, from + length) });
    from += length;
  }
  return parts;
}

const survivors = (pending: readonly Change[], { kept, torn }: Cut, random: Random): readonly Change[] =>
  pending
    .filter(() => random.next() < kept)
    .flatMap((change) => (random.next() < torn ? tear(change, random) : [change]));

/** Creates a model of a folder on a disk that keeps only synced changes, as POSIX allows. */
export function createModel(random: Random) {
  // Every state of the folder since it was last synced, oldest first: a journal keeps the changes of a folder in order.
  let states: readonly [Entries, ...Entries[]] = [new Map()];
  const now = (): Entries => states.at(-1) ?? new Map();

  const sync = (inode: Inode, ok: boolean): void => {
    // Linux marks pages that it could not write as clean: a later successful sync says nothing about them.
    const written = ok ? inode.pending : inode.pending.filter(() => random.next() < 0.5);
    inode.durable = apply(inode.durable, written);
    inode.pending = [];
  };

  const step = (event: Event): void => {
    if (event.kind === 'message') return;
    if (event.kind === 'sync folder') {
      // Also when it failed, which SQLite ignores: the preceding sync of the new file has also stored its name.
      states = [now()];
      return;
    }
    const inode = now().get(event.file);
    if (event.kind === 'create') {
      if (inode !== undefined) return;
      states = [...states, new Map(now()).set(event.file, { durable: Buffer.alloc(0), pending: [] })];
      return;
    }
    // The file was removed while it was open.
    if (inode === undefined) return;
    if (event.kind === 'unlink') {
      states = [...states, new Map([...now()].filter(([name]) => name !== event.file))];
      return;
    }
    if (event.kind === 'link') {
      states = [...states, new Map(now()).set(event.to, inode)];
      return;
    }
    if (event.kind === 'sync') sync(inode, event.ok);
    else inode.pending.push(event);
  };

  return {
    step,
    /** Returns the files that a machine would find after a power cut now. */
    image: (cut: Cut): ReadonlyMap<string, Buffer> => {
      const entries = states[random.between(0, states.length - 1)] ?? now();
      return new Map(
        [...entries].map(([name, { durable, pending }]) => [name, apply(durable, survivors(pending, cut, random))]),
      );
    },
  };
}
