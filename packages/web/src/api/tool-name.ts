import type * as client from 'errand/client';

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

/** The full name of a tool, as entries of the audit trail have it: the client has a function for each. */
export type ToolName = SnakeCase<Extract<keyof typeof client, string>>;

/** The texts of some tools. */
export type ToolTexts = Readonly<Partial<Record<ToolName, string>>>;

/** The text of a tool; undefined for one that has none here, such as a tool of a newer server. */
export const textOf = (texts: ToolTexts, tool: string): string | undefined =>
  // Safe: what is no name of a tool is not found.
  texts[tool as ToolName];
