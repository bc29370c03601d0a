import type { Dialect } from './statement.ts';

/** The texts of a parameter that is a list as JSON. */
export const LISTED: Readonly<Record<Dialect, (name: string) => string>> = {
  sqlite: (name) => `(select value from json_each(:${name}))`,
  postgres: (name) => `(select json_array_elements_text(:${name}::json))`,
};
