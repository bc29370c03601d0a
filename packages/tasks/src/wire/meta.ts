import { isObject, type JsonObject } from '#json';
import type { TaskRecord } from '#task';

/** The key of `_meta` that holds the variables of a task. It is missing when there are none. */
export const VARIABLES_META = 'dev.errand/variables';

/** The first character of hidden variables: requestors do not see them. */
const HIDDEN = '_';

/** Returns the variables that a requestor may see, as an entry of `_meta`. */
export function variablesMeta({ variables }: Pick<TaskRecord, 'variables'>): JsonObject {
  const shown = Object.entries(variables).filter(([name]) => !name.startsWith(HIDDEN));
  return shown.length === 0 ? {} : { [VARIABLES_META]: Object.fromEntries(shown) };
}

/** Returns `_meta` as a member of a message; absent when it is empty. */
export const metaMember = (meta: JsonObject): { readonly _meta?: JsonObject } =>
  Object.keys(meta).length === 0 ? {} : { _meta: meta };

/** Adds entries to the `_meta` of a message, and keeps the others. */
export function withMeta(message: JsonObject, more: JsonObject): JsonObject {
  const { _meta: own, ...rest } = message;
  return { ...rest, ...metaMember({ ...(isObject(own) && own), ...more }) };
}
