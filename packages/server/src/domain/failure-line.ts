/** The last line with words in the reason of a failed run, shortened to `most` characters. */
export function failureLine(reason: string | null, most: number): string | null {
  const line = reason
    ?.split('\n')
    .map((one) => one.trim())
    .findLast((one) => one !== '');
  if (line === undefined) return null;
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`;
}
