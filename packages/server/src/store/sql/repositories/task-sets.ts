/** Sets of tasks of one segment of the search index: each is known by its place there, from zero. */

/** How a set was written: as the steps from each place to the next, or as one bit for each place. */
const FORMS = { steps: 's', bits: 'b' } as const;

const LOW_BITS = 0x7f;
const GOES_ON = 0x80;

function stepsOf(places: readonly number[]): Buffer {
  const bytes: number[] = [];
  let before = -1;
  for (const place of places) {
    let step = place - before - 1;
    for (; step > LOW_BITS; step = Math.floor(step / GOES_ON)) bytes.push((step & LOW_BITS) | GOES_ON);
    bytes.push(step);
    before = place;
  }
  return Buffer.from(bytes);
}

export type TaskSet = Uint8Array;

export const emptySet = (size: number): TaskSet => new Uint8Array(Math.ceil(size / 8));

export function addTo(set: TaskSet, place: number): void {
  const byte = place >> 3;
  set[byte] = (set[byte] ?? 0) | (1 << (place & 7));
}

/** Writes the set of these places, which come in their order, as text: the shorter of two forms. */
export function writtenSet(places: readonly number[], size: number): string {
  const steps = stepsOf(places);
  if (steps.length < size / 8) return FORMS.steps + steps.toString('base64');
  const bits = emptySet(size);
  for (const place of places) addTo(bits, place);
  return FORMS.bits + Buffer.from(bits).toString('base64');
}

export function readSet(text: string, size: number): TaskSet {
  const bytes = Buffer.from(text.slice(1), 'base64');
  if (text.startsWith(FORMS.bits)) return bytes;
  const set = emptySet(size);
  let [place, step, factor] = [-1, 0, 1];
  for (const byte of bytes) {
    step += (byte & LOW_BITS) * factor;
    factor *= GOES_ON;
    if (byte >= GOES_ON) continue;
    place += step + 1;
    addTo(set, place);
    [step, factor] = [0, 1];
  }
  return set;
}

/** The tasks that are in all of these sets; null without any set. */
export function common(sets: readonly TaskSet[]): TaskSet | null {
  const [first, ...others] = sets;
  return first === undefined
    ? null
    : first.map((byte, at) => others.reduce((left, set) => left & (set[at] ?? 0), byte));
}

export const isEmpty = (set: TaskSet): boolean => set.every((byte) => byte === 0);

export const has = (set: TaskSet, place: number): boolean => ((set[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
