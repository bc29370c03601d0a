export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly look: 'done' | 'none' | 'run' | 'wait';
}

const WIDTH = 1_440;
const ROWS = 13;
const ROW_HEIGHT = 26;
const GAP = 6;
const PAUSE = 66;

/** Numbers that look random and are the same at every visit. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

function lookOf(chance: number): Bar['look'] {
  if (chance < 0.28) return 'done';
  if (chance < 0.36) return 'run';
  return chance < 0.38 ? 'wait' : 'none';
}

/** The bars below the sign-in: steps of runs that nobody watches. */
export function barsOf(seed: number): readonly Bar[] {
  const next = numbers(seed);
  const bars: Bar[] = [];
  for (let row = 0; row < ROWS; row += 1) {
    let x = Math.round(next() * 120);
    while (x < WIDTH) {
      const width = 24 + Math.round(next() * 140);
      bars.push({ x, y: row * ROW_HEIGHT, width, look: lookOf(next()) });
      x += width + (next() < 0.25 ? PAUSE : GAP);
    }
  }
  return bars;
}
