import { parse } from 'yaml';

/** Texts for people: the file may have its own wording. */
const WORDS = new Set(['description', 'summary', 'title', 'example', 'examples', 'info', 'servers', 'tags']);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** True for a text. `description` may also be the name of a field, and fields are compared. */
const isWord = (key: string, path: string): boolean => WORDS.has(key) && !path.endsWith('/properties');

function differenceAt(left: unknown, right: unknown, path: string): string | null {
  if (!isObject(left) || !isObject(right)) return left === right ? null : path || '/';
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    if (isWord(key, path)) continue;
    const found = differenceAt(left[key], right[key], `${path}/${key.replaceAll('/', '~1')}`);
    if (found !== null) return found;
  }
  return null;
}

/** Returns the first difference (a JSON pointer) of two OpenAPI documents in YAML, texts aside; null for none. */
export const swaggerDifference = (left: string, right: string): string | null =>
  differenceAt(parse(left), parse(right), '');
