import { z } from 'zod';
import { Duration } from '#domain/duration';
import { ProjectId, TokenId, UserId } from '#domain/ids';
import { Scope } from '#domain/scope';
import { text } from '#domain/text';

/** The fields that the tools of administration share. */
export const adminFields = {
  name: text(1, 100).describe('A name for people: 1 to 100 characters.'),
  user_id: UserId.describe('The user, by id (UUID).'),
  project_id: ProjectId.describe('The project, by id (UUID).'),
  token_id: TokenId.describe('The token, by id (UUID).'),
  scopes: z.array(Scope).min(1).describe('What it may do: one or more scopes.'),
  expires_in: Duration,
};

export const time = z.iso.datetime();

/** A token at the one moment when it can be read. */
export const issuedToken = {
  token_id: z.string().describe('The id of the token (UUID), for revoking it.'),
  token: z.string().describe('The token itself. It is shown this once and cannot be read again.'),
  expires_at: time.nullable().describe('When it ends (RFC 3339); null for never.'),
};

export const rfc3339 = (at: number): string => new Date(at).toISOString();
