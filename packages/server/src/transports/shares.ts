/** A holder may take more while it has less than this part of what is free. */
const PART_OF_FREE = 1 / 3;

export interface SharesOptions {
  readonly most: number;
  /** The most that one holder may have, even if more is free. */
  readonly each?: number;
}

export interface Shares {
  /** Takes the amount. False when the holder already has its share, or when less than the amount is free. */
  readonly take: (holder: string, amount?: number) => boolean;
  /** Adds the amount without a check, because it is already in use. */
  readonly add: (holder: string, amount: number) => void;
  readonly leave: (holder: string, amount?: number) => void;
  /** Whether the holder has less than its share. */
  readonly hasRoom: (holder: string) => boolean;
  /** Whether nothing is free. */
  readonly isFull: () => boolean;
}

/**
 * Divides a bounded amount among holders. A single holder gets a quarter of it. The share of each shrinks as others take
 * theirs, so that some is always left for a new holder.
 */
export function createShares({ most, each = most }: SharesOptions): Shares {
  const held = new Map<string, number>();
  let taken = 0;

  const hasRoom = (holder: string): boolean => (held.get(holder) ?? 0) < Math.min(each, (most - taken) * PART_OF_FREE);

  function add(holder: string, amount: number): void {
    taken += amount;
    held.set(holder, (held.get(holder) ?? 0) + amount);
  }

  return {
    take: (holder, amount = 1) => {
      if (taken + amount > most || !hasRoom(holder)) return false;
      add(holder, amount);
      return true;
    },
    add,
    leave: (holder, amount = 1) => {
      taken -= amount;
      const left = (held.get(holder) ?? 0) - amount;
      if (left > 0) held.set(holder, left);
      else held.delete(holder);
    },
    hasRoom,
    isFull: () => taken >= most,
  };
}
