import { describe, expect, it } from 'vitest';
import { TaskError } from '#errors';
import { DEFAULT_LIMITS } from '#limits';
import { checkVariables, mergeVariables } from './variables.ts';

describe('variables', () => {
  it('[V1, HNDL-03] add new keys, overwrite known ones, and are removed by null', () => {
    const variables = { kept: 1, changed: { deep: [1] }, removed: true };

    const merged = mergeVariables(variables, { changed: 'now', removed: null, added: [null], never: null });

    expect(merged).toEqual({ kept: 1, changed: 'now', added: [null] });
  });

  it('[V1] keep a key with the name of a built-in property', () => {
    const patch = JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}');

    const merged = mergeVariables({ toString: 'mine' }, patch);

    expect(JSON.stringify(merged)).toBe('{"toString":"mine","__proto__":{"admin":true},"constructor":1}');
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  });

  it('[V2, STOR-03] are refused when they are larger than the limit, counted in bytes', () => {
    const limits = { ...DEFAULT_LIMITS, max_variables_bytes: 20 };

    const fits = { text: 'é'.repeat(4) };
    const tooLarge = { text: 'é'.repeat(5) };

    expect(() => checkVariables(fits, limits)).not.toThrow();
    expect(() => checkVariables(tooLarge, limits)).toThrow(TaskError);
  });

  it('[V2, STOR-03] are refused when they are nested deeper than the limit, also extremely deep', () => {
    const nest = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);

    expect(() => checkVariables(nest(16), DEFAULT_LIMITS)).not.toThrow();
    expect(() => checkVariables(nest(17), DEFAULT_LIMITS)).toThrow(TaskError);
    expect(() => checkVariables(nest(5_000), DEFAULT_LIMITS)).toThrow(TaskError);
  });
});
