/** Numbers that look random and are the same for the same seed. */
export function createDice(seed: number): { readonly below: (most: number) => number } {
  let state = seed;
  return {
    below: (most) => {
      // The constants of Numerical Recipes; the upper bits are the better ones.
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * most);
    },
  };
}
