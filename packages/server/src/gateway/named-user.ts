import { UserName } from '#domain/app';
import { withoutCredentials } from '#domain/text';
import { readableId, visible } from '#domain/visible-text';
import type { Admitted } from './admit.ts';
import { authorizeSubject, mayCall, type Subject } from './authorize.ts';
import type { Call, CallRecord } from './gateway.ts';

const MAX_LOGGED_CHARACTERS = 200;
const MAX_KEPT_FIELDS = 10;
const MAX_KEPT_CHARACTERS = 200;

// No copy, which would cost as much as the arguments are long.
const fieldsOf = (input: unknown): Record<string, unknown> =>
  typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as Record<string, unknown>) : {};

const givenUser = ({ tool, input }: Call): unknown =>
  tool.subject === null ? undefined : fieldsOf(input)[tool.subject];

/** The user that unchecked arguments name; null when the caller may not name that user. */
function namedIn(call: Call): Subject | null {
  const given = givenUser(call);
  if (given !== undefined && !UserName.safeParse(given).success) return null;
  try {
    return authorizeSubject(call.caller, given);
  } catch {
    return null;
  }
}

/** A value as a message stores it: texts are shortened, lists and objects are only named. Arguments can have a megabyte. */
function keptValue(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, MAX_KEPT_CHARACTERS);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? '[…]' : '{…}';
}

function keptFields(input: unknown): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  let count = 0;
  const fields = fieldsOf(input);
  for (const name in fields) {
    if (count === MAX_KEPT_FIELDS) break;
    kept[name.slice(0, MAX_KEPT_CHARACTERS)] = keptValue(fields[name]);
    count += 1;
  }
  return kept;
}

/** The message of a call that was refused for its arguments; null when the caller may not name its user. */
export function invalidCall(call: Call, correlation_id: string): Admitted | null {
  if (!mayCall(call.caller, call.tool)) return null;
  const named = namedIn(call);
  return named && { call, input: keptFields(call.input), named, needed: [], correlation_id };
}

const shown = (given: unknown): string | null =>
  typeof given === 'string' && given !== ''
    ? withoutCredentials(visible(given.slice(0, MAX_LOGGED_CHARACTERS).toWellFormed()))
    : null;

/** The user for the log: the named user where the caller may name them, otherwise the caller's own user and the named one. */
export function loggedUser(
  call: Call,
  admitted: Subject | null,
): Pick<CallRecord, 'user_id' | 'named_user_id' | 'app'> {
  const { caller } = call;
  const named = admitted ?? (caller.fault === null ? namedIn(call) : null);
  if (named !== null && typeof named !== 'string') return { user_id: readableId(named.external_id), app: named.app };
  if (named !== null) return { user_id: named };
  const given = shown(givenUser(call));
  return { user_id: caller.user_id, ...(given !== null && { named_user_id: given }) };
}
