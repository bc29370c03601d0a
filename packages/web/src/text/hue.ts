/** The eight hues that tell agents and labels apart. They never stand for a status. */
export const HUES = 8;

/** The hue of an id, 1 to 8: the same on every page and machine, because only the id decides it (FNV-1a, 32 bits). */
export function hueOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) {
    hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  }
  return ((hash >>> 0) % HUES) + 1;
}

const WORDS = /[\p{L}\p{N}]+/gu;

/** The two letters on an agent's tile: of its first two words, or the first two of its only word. */
export function monogram(name: string): string {
  const [first, second] = name.toLowerCase().match(WORDS) ?? [];
  if (first === undefined) {
    return '?';
  }
  return second === undefined ? [...first].slice(0, 2).join('') : letter(first) + letter(second);
}

/** The letters in a person's circle: of the first and the last word of the name. */
export function initials(name: string): string {
  const words = name.toUpperCase().match(WORDS) ?? [];
  const first = words[0];
  const last = words.at(-1);
  if (first === undefined || last === undefined) {
    return '?';
  }
  return words.length === 1 ? letter(first) : letter(first) + letter(last);
}

function letter(word: string): string {
  return [...word][0] ?? '';
}
