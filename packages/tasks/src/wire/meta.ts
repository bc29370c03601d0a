import { isObject, type JsonObject } from '#json';
import type { TaskRecord } from '#task';

/** The key of `_meta` under which a requestor finds the variables of its task; there are none where it is missing. */
export const VARIABLES_META = 'dev.errand/variables';

/** A variable whose name begins so is the work's own: requestors do not see it. */
const HIDDEN = '_';

/** The variables that a requestor may see, as an entry of `_meta`. */
export function variablesMeta({ variables }: Pick<TaskRecord, 'variables'>): JsonObject {
  const shown = Object.entries(variables).filter(([name]) => !name.startsWith(HIDDEN));
  return shown.length === 0 ? {} : { [VARIABLES_META]: Object.fromEntries(shown) };
}

/** `_meta` as a member of a message, left out when there is nothing in it. */
export const metaMember = (meta: JsonObject): { readonly _meta?: JsonObject } =>
  Object.keys(meta).length === 0 ? {} : { _meta: meta };

/** A message with more in its `_meta`, whose other entries stay. */
export function withMeta(message: JsonObject, more: JsonObject): JsonObject {
  const { _meta: own, ...rest } = message;
  return { ...rest, ...metaMember({ ...(isObject(own) && own), ...more }) };
}
