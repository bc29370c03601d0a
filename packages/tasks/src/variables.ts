import { TaskError } from './errors.ts';
import type { Json, JsonObject } from './json.ts';
import type { TaskLimits } from './limits.ts';

/** Adds new keys and overwrites known ones. Null removes a key. */
export function mergeVariables(variables: JsonObject, patch: JsonObject): JsonObject {
  const kept = Object.entries({ ...variables, ...patch }).filter(([, value]) => value !== null);
  return Object.fromEntries(kept);
}

/** Throws for variables beyond the limits. */
export function checkVariables(variables: JsonObject, limits: TaskLimits): void {
  if (isDeeperThan(variables, limits.max_variables_depth)) {
    throw new TaskError('variables_too_large', `Variables may be nested ${limits.max_variables_depth} deep at most.`);
  }
  const bytes = Buffer.byteLength(JSON.stringify(variables));
  if (bytes > limits.max_variables_bytes) {
    throw new TaskError(
      'variables_too_large',
      `Variables may have ${limits.max_variables_bytes} bytes of JSON at most, and would have ${bytes}.`,
    );
  }
}

/** Checks the depth without recursion: a value that is too deep for recursion must be refused too. */
function isDeeperThan(root: Json, depth: number): boolean {
  let level: readonly Json[] = [root];
  for (let at = 0; level.length > 0; at += 1) {
    if (at >= depth) return true;
    level = level.flatMap(childrenOf).filter(isContainer);
  }
  return false;
}

const isContainer = (value: Json): value is JsonObject | readonly Json[] => typeof value === 'object' && value !== null;
const childrenOf = (value: Json): readonly Json[] => (isContainer(value) ? Object.values<Json>(value) : []);
