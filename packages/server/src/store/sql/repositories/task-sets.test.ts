import { describe, expect, it } from 'vitest';
import { createDice } from '#store/testing/histories';
import { common, has, isEmpty, readSet, writtenSet } from './task-sets.ts';

const SIZE = 4_096;
const dice = createDice(1);
const someOf = (one: number): readonly number[] =>
  Array.from({ length: SIZE }, (_, place) => place).filter(() => dice.below(one) === 0);
const placesOf = (set: Uint8Array): readonly number[] =>
  Array.from({ length: SIZE }, (_, place) => place).filter((place) => has(set, place));

describe('a set of tasks', () => {
  it.each([1, 2, 7, 40, 900])('of one in %i is read as it was written', (one) => {
    const places = someOf(one);

    const text = writtenSet(places, SIZE);

    expect(placesOf(readSet(text, SIZE))).toEqual(places);
    expect(text.length).toBeLessThan(SIZE / 6 + 3);
  });

  it('has in common with other sets the tasks that are in all of them', () => {
    const sets = [2, 3, 5].map(someOf);
    const [first, ...others] = sets;

    const found = common(sets.map((places) => readSet(writtenSet(places, SIZE), SIZE)));

    expect(found && placesOf(found)).toEqual(
      first?.filter((place) => others.every((places) => places.includes(place))),
    );
    expect(isEmpty(readSet(writtenSet([], SIZE), SIZE))).toBe(true);
    expect(common([])).toBeNull();
  });
});
