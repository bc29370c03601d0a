/** A request that was refused before any tool was called. */
export interface Refusal {
  readonly correlation_id: string;
  readonly status: number;
  readonly address: string;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
}

/** Writes a log line about refused requests. `suppressed` counts those before it that have no line of their own. */
export type TellRefusal = (
  refusal: (Refusal | { readonly address: string }) & { readonly suppressed?: number },
) => void;

const WINDOW_MS = 10_000;
const MAX_LINES_PER_ADDRESS = 20;
const MAX_LINES = 200;
const MAX_ADDRESSES = 1_000;
const MAX_PATH = 200;

/** The name under which addresses are counted together, beyond those that are counted one by one. */
const OTHERS = 'others';

interface Count {
  lines: number;
  suppressed: number;
}

/** Logs refused requests: a few per address, and the number of the others. */
export function createRefusalLog(tell: TellRefusal) {
  const counts = new Map<string, Count>();
  let lines = 0;
  let timer: NodeJS.Timeout | undefined;

  function closeWindow(): void {
    timer = undefined;
    lines = 0;
    for (const [address, { suppressed }] of counts) if (suppressed > 0) tell({ address, suppressed });
    counts.clear();
  }

  function countOf(address: string): Count {
    const key = counts.has(address) || counts.size < MAX_ADDRESSES ? address : OTHERS;
    const count = counts.get(key) ?? { lines: 0, suppressed: 0 };
    counts.set(key, count);
    return count;
  }

  return {
    add: (refusal: Refusal): void => {
      timer ??= setTimeout(closeWindow, WINDOW_MS).unref();
      const count = countOf(refusal.address);
      if (count.lines >= MAX_LINES_PER_ADDRESS || lines >= MAX_LINES) {
        count.suppressed += 1;
        return;
      }
      count.lines += 1;
      lines += 1;
      tell({ ...refusal, ...(refusal.path !== undefined && { path: refusal.path.slice(0, MAX_PATH) }) });
    },
    /** Writes the refusals that are only counted so far. */
    close: (): void => {
      clearTimeout(timer);
      closeWindow();
    },
  };
}
