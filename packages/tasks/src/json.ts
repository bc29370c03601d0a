export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Copies a value as it will be read back. Throws when it is no JSON object: a bigint, a cycle, or undefined. */
export function asJson<Value extends object>(value: Value): Value {
  const text: string | undefined = JSON.stringify(value);
  const copy: unknown = text === undefined ? undefined : JSON.parse(text);
  if (!isObject(copy)) throw new TypeError('This must be an object of JSON.');
  // JSON leaves out values that it cannot express. The copy lacks them, as the stored value will.
  return copy as Value;
}
