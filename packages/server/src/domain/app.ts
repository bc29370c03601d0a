import { z } from 'zod';
import { characters, isStorable } from './text.ts';

/** The longest id that an app may give a user, in characters. */
const MAX_ID_CHARACTERS = 200;

// C0, DEL and C1: no app shows them, and they forge lines in logs.
const CONTROL = /\p{Cc}/u;

/**
 * The id of a user as the caller writes it: `me`, the id of a person, or the id that an app itself gives a user. It is
 * compared byte by byte: never trimmed, folded or normalised.
 */
export const UserName = z
  .string()
  .check((context) => {
    const { value } = context;
    const refuse = (message: string): void => void context.issues.push({ code: 'custom', input: value, message });
    const count = characters(value);
    if (value.trim() === '') refuse('must not be empty');
    else if (count > MAX_ID_CHARACTERS) refuse(`must have 1 to ${MAX_ID_CHARACTERS} characters, not ${count}`);
    else if (CONTROL.test(value)) refuse('must not hold control characters, such as line breaks');
    else if (!isStorable(value)) refuse('holds half a surrogate pair, which cannot be stored');
  })
  .meta({ minLength: 1, maxLength: MAX_ID_CHARACTERS });

/** A user of an app, by the id that the app gives them. Equal ids of two apps are two users. */
export interface AppUser {
  readonly app: string;
  readonly external_id: string;
}

/** The app that a service token belongs to, and which of its users the token may name. */
export interface AppAccess {
  readonly name: string;
  readonly user_ids: '*' | readonly string[];
}

/** Whether a token with this access may name the user. */
export const mayName = (access: AppAccess | null, { app, external_id }: AppUser): boolean =>
  access !== null && access.name === app && (access.user_ids === '*' || access.user_ids.includes(external_id));

/**
 * The owner of the idempotency keys of an app's user: all tokens of the app share them. An id holds no line break, so
 * two users never share an owner.
 */
export const appPrincipal = ({ app, external_id }: AppUser): string => `app\n${app}\n${external_id}`;
