import { memoryUsage } from 'node:process';
import { setFlagsFromString } from 'node:v8';

const LOOK_MS = 250;
/** Below this part of the target the engine is fast again; between the two it stays as it is. */
const RELIEF = 0.7;

interface MemoryPressureOptions {
  /** How much memory the process should take at most, in bytes. */
  readonly target_bytes: number;
  /** How much it takes now, in bytes. */
  readonly taken?: () => number;
  readonly setFlag?: (flag: string) => void;
}

/**
 * Makes V8 collect garbage early while the process takes more memory than its target. By default V8 lets the garbage of a flood
 * grow with the memory of the machine. Collecting early all the time would cost every call half as
 * much CPU again. Returns the function that the timer calls, for tests.
 */
export function watchMemory({
  target_bytes,
  taken = memoryUsage.rss,
  setFlag = setFlagsFromString,
}: MemoryPressureOptions): { readonly look: () => void; readonly stop: () => void } {
  let isTight = false;

  function look(): void {
    const bytes = taken();
    if (isTight ? bytes >= target_bytes * RELIEF : bytes <= target_bytes) return;
    isTight = !isTight;
    setFlag(isTight ? '--optimize-for-size' : '--no-optimize-for-size');
  }

  const timer = setInterval(look, LOOK_MS).unref();
  return { look, stop: () => clearInterval(timer) };
}
