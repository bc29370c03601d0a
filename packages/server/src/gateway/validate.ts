import type { z } from 'zod';
import { isStorable } from '#domain/text';
import { ErrandError } from '#errors';
import type { Tool } from '#tools/catalog';

const MAX_DEPTH = 64;

interface Problem {
  readonly field: string;
  readonly problem: string;
}

function refuse(problems: readonly Problem[]): never {
  const words = problems.map(({ field, problem }) => (field === '' ? problem : `${field}: ${problem}`));
  throw new ErrandError('validation_error', `${words.join('; ')}.`, { details: { fields: problems } });
}

/** What no store keeps as it is, anywhere in the arguments. */
function findUnstorable(value: unknown, field: string, depth: number): Problem | null {
  if (typeof value === 'string') {
    return isStorable(value)
      ? null
      : { field, problem: 'holds U+0000 or half a surrogate pair, which cannot be stored' };
  }
  if (typeof value === 'number') {
    // 2^53 and 2^53 + 1 are one number here: two different calls would pass for the same.
    const unsafe = Number.isInteger(value) && !Number.isSafeInteger(value);
    return unsafe ? { field, problem: 'is a whole number too large to be exact' } : null;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_DEPTH) return { field, problem: `is nested deeper than ${MAX_DEPTH} levels` };
  for (const key in value) {
    if (!isStorable(key)) return { field, problem: 'has a name with U+0000 or half a surrogate pair' };
    const found = findUnstorable(
      (value as Record<string, unknown>)[key],
      field === '' ? key : `${field}.${key}`,
      depth + 1,
    );
    if (found !== null) return found;
  }
  return null;
}

function mustBeStorable(value: unknown): void {
  const unstorable = findUnstorable(value, '', 0);
  if (unstorable !== null) refuse([unstorable]);
}

const wordsOf = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'invalid_type') {
    return issue.input === undefined
      ? 'is required'
      : `must be ${issue.expected === 'int' ? 'a whole number' : `of type ${issue.expected}`}`;
  }
  if (issue.code === 'invalid_value') return `must be one of: ${issue.values.join(', ')}`;
  if (issue.code === 'unrecognized_keys') return `takes no field named ${issue.keys.join(', ')}`;
  if (issue.code === 'too_small') {
    if (issue.origin === 'string') return 'must not be empty';
    return issue.origin === 'array' ? `must have at least ${issue.minimum} item` : `must be at least ${issue.minimum}`;
  }
  if (issue.code === 'too_big') {
    if (issue.origin === 'string') return `must be at most ${issue.maximum} characters long`;
    return issue.origin === 'array' ? `must have at most ${issue.maximum} items` : `must be at most ${issue.maximum}`;
  }
  return issue.message;
};

/** Models often send an object or a list as its JSON text, and null for what they leave out. */
function mend(tool: Tool, input: Record<string, unknown>): Record<string, unknown> {
  let mended = input;
  for (const key in input) {
    const value = input[key];
    // A name such as toString is no field, though every object has it.
    if (!Object.hasOwn(tool.input.shape, key)) continue;
    const field = tool.input.shape[key] as z.ZodType;
    if (value === null && field.safeParse(undefined).success) {
      mended = { ...mended };
      delete mended[key];
    } else if (typeof value === 'string' && /^\s*[[{]/.test(value) && !field.safeParse(value).success) {
      const parsed = parseJson(value);
      if (parsed !== undefined) mended = { ...mended, [key]: parsed };
    }
  }
  return mended;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The arguments as the tool declared them, or an error that names every field at fault. */
export function validate(tool: Tool, input: unknown): Record<string, unknown> {
  const given = input ?? {};
  if (typeof given !== 'object' || Array.isArray(given))
    return refuse([{ field: '', problem: 'the arguments must be an object' }]);
  mustBeStorable(given);
  const first = tool.input.safeParse(given);
  if (first.success) return first.data;

  const mended = mend(tool, given as Record<string, unknown>);
  mustBeStorable(mended);
  const { data, error } = tool.input.safeParse(mended, { reportInput: true });
  if (data !== undefined) return data;
  return refuse(error.issues.map((issue) => ({ field: issue.path.join('.'), problem: wordsOf(issue) })));
}
