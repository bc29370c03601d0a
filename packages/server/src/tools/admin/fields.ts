import { z } from 'zod';
import type { AuditEvent } from '#domain/audit';
import { Duration } from '#domain/duration';
import { naming, TokenId } from '#domain/ids';
import { PROJECT_KEY } from '#domain/key';
import { MembersManaged } from '#domain/project';
import { MIN_ID_PREFIX, type NamedKind } from '#domain/reference';
import { Scope } from '#domain/scope';
import { PASSWORD_CHARACTERS } from '#domain/sign-in';
import { text } from '#domain/text';
import { visible } from '#domain/visible-text';
import { rfc3339, time } from '#tools/time';

/** Text for people: invisible characters are removed before it is stored. */
const shown = (min: number, max: number) =>
  text(min, max)
    .overwrite((value) => visible(value).trim())
    .refine((value) => value.length >= min, 'must hold something that can be seen');

/** The ways to name a thing where its id is expected. */
export const BY_NAME = `by its id, its key or name if no other has it, or the beginning of its id: at least ${MIN_ID_PREFIX} characters, enough to be unique`;
const MAX_NAME = 200;
const named = <Brand extends string>(kind: NamedKind) => naming(kind, z.string().min(1).max(MAX_NAME).brand<Brand>());

/** The fields that the tools of administration share. */
export const adminFields = {
  name: shown(1, 100).describe('A name for people: 1 to 100 characters.'),
  short_name: shown(1, 50).describe('A name for people: 1 to 50 characters.'),
  app: shown(1, 100),
  guide: shown(0, 20_000),
  user_id: named<'UserId'>('user').describe(`The user, ${BY_NAME}.`),
  agent_id: named<'AgentId'>('agent').describe(`The agent, ${BY_NAME}.`),
  project_id: named<'ProjectId'>('project').describe(`The project, ${BY_NAME}.`),
  repo_id: named<'RepoId'>('repo').describe(`The repository, ${BY_NAME}.`),
  key: z
    .string()
    .trim()
    .toUpperCase()
    .regex(PROJECT_KEY, 'must be 2 to 10 letters and digits, such as WEB')
    .describe('Begins the short names of its tasks, such as WEB in WEB-12: 2 to 10 letters and digits.'),
  token_id: TokenId.describe('The token, by id.'),
  scopes: z.array(Scope).min(1).describe('What it may do: one or more scopes.'),
  can_complete: z.boolean().default(false).describe('true lets it move tasks to a completed state. Default: false.'),
  can_cancel: z.boolean().default(false).describe('true lets it move tasks to a cancelled state. Default: false.'),
  expires_in: Duration,
  target_branch: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^-\s][^\s]*$/, 'must be the name of a branch')
    .describe('The branch that work ends up on.'),
  setup_script: text(0, 10_000).describe(
    'A shell script that runs in the folder of every new attempt before the agent starts, such as "npm ci": at most 10,000 characters. An empty text removes it.',
  ),
};

/** A new token. Its secret can be read only in this answer. */
export const issuedToken = {
  token_id: z.string().describe('The id of the token (UUID), for revoking it.'),
  token: z.string().describe('The token itself. It is shown this once and cannot be read again.'),
  expires_at: time.nullable().describe('When it ends (RFC 3339); null for never.'),
};

/** Where the browser is that signs in, for the list of sessions. */
export const browserPlace = {
  device: z.string().max(1_000).default('').describe('What the browser calls itself.'),
  address: z.string().max(100).default('').describe('The address that it asks from.'),
};

export const labelColor = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #d73a4a')
  .toLowerCase();

export const password = z
  .string()
  .min(PASSWORD_CHARACTERS.least)
  .max(PASSWORD_CHARACTERS.most)
  .describe(`The new password: ${PASSWORD_CHARACTERS.least} to ${PASSWORD_CHARACTERS.most} characters.`);

/** An agent as lists show it. */
export const agentRow = {
  agent_id: z.string().describe('The id of the agent (UUID).'),
  name: z.string().describe('The name of the agent.'),
  owner_id: z.string().describe('The user it works for (UUID).'),
  status: z
    .enum(['active', 'owner_blocked', 'no_live_token'])
    .describe('"active", or why the agent cannot act: "owner_blocked", "no_live_token".'),
  live_tokens: z.int().describe('How many of its tokens are valid.'),
  expires_at: time
    .nullable()
    .describe('When the last of its live tokens ends (RFC 3339); null if it never ends, or if no token is live.'),
  created_at: time.describe('When it was made (RFC 3339).'),
};

export const workspaceFields = {
  workspace_id: z.string().describe('The id of the workspace (UUID).'),
  name: z.string().describe('The name of the workspace.'),
  guide: z.string().nullable().describe('The guide that every agent of the workspace reads; null for none.'),
  members: MembersManaged.describe(
    '"here" if Errand manages the members of projects, "external" if another system does.',
  ),
};

/** An entry of the audit trail. */
export const auditFields = {
  seq: z.int().describe('The number of the entry.'),
  at: z.string().describe('When it was (RFC 3339).'),
  actor_kind: z
    .string()
    .describe('Who did it: "user", "agent", "service", "local" for the owner at the machine, or "stranger".'),
  user_id: z.string().describe('The user who did it, or for whom it was done (UUID).'),
  agent_id: z.string().nullable().describe('The agent that did it (UUID); null for none.'),
  token_id: z.string().nullable().describe('The token that was used (UUID); null for none.'),
  action: z.string().describe('The tool that was called.'),
  outcome: z.string().describe('"ok", or "denied" when it was refused.'),
  entity: z.string().nullable().describe('What kind of thing was changed; null for none.'),
  entity_id: z.string().nullable().describe('The id of what was changed; null for none.'),
  before_digest: z.string().nullable().describe('SHA-256 of it as it was; null when there was nothing.'),
  after_digest: z.string().nullable().describe('SHA-256 of it after the change; null if it no longer exists.'),
  idempotency_key: z.string().nullable().describe('The key that the call came with; null for none.'),
  instruction_ref: z.string().nullable().describe('The instruction that the call followed; null if none was given.'),
  reason: z.string().nullable().describe('Why it was refused; null for what was done.'),
  repeats: z.int().nullable().describe('How many further refusals this entry counts; null for an entry of one call.'),
  correlation_id: z.string().describe('The number under which the logs know the call.'),
};

const LAST_DAY = 8_640_000_000_000_000;

/** An entry in these fields. An impossible time, which only tampering can cause, is shown unchanged. */
export const auditRow = (event: AuditEvent) => ({
  seq: event.seq,
  at: Math.abs(event.at) <= LAST_DAY ? rfc3339(event.at) : String(event.at),
  actor_kind: event.actor_kind,
  user_id: event.user_id,
  agent_id: event.agent_id,
  token_id: event.token_id,
  action: event.action,
  outcome: event.outcome,
  entity: event.entity,
  entity_id: event.entity_id,
  before_digest: event.before_digest,
  after_digest: event.after_digest,
  idempotency_key: event.idempotency_key,
  instruction_ref: event.instruction_ref,
  reason: event.reason,
  repeats: event.repeats,
  correlation_id: event.correlation_id,
});
