export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy as it will be read back. Throws for what is no object of JSON: a number too large, a circle, nothing at all. */
export function asJson<Value extends object>(value: Value): Value {
  const text: string | undefined = JSON.stringify(value);
  const copy: unknown = text === undefined ? undefined : JSON.parse(text);
  if (!isObject(copy)) throw new TypeError('This must be an object of JSON.');
  // What JSON has no words for is left out, as whoever reads it back will find.
  return copy as Value;
}
