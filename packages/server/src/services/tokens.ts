import { say } from '#advice';
import { type AppAccess, mayName } from '#domain/app';
import type { Attempt } from '#domain/attempt';
import { type Caller, mayActFor } from '#domain/caller';
import { milliseconds } from '#domain/duration';
import type { ProjectId, TokenId, UserId } from '#domain/ids';
import { rightsIn } from '#domain/reach';
import type { Run } from '#domain/run';
import { PROJECT_SCOPES, type Scope } from '#domain/scope';
import { type ActsFor, isUsable, type KnownToken, type Token } from '#domain/token';
import type { User } from '#domain/user';
import { ErrandError } from '#errors';
import type { Reads, Transaction } from '#store/store';
import { type PageOf, type PageRequest, readPage } from './pages.ts';
import type { Ports } from './ports.ts';
import { hashSecret, isWellFormedSecret, mintSecret } from './token-secret.ts';
import type { ReadWork, WriteWork } from './work.ts';

/** A new token with its secret, which is not stored. */
export interface IssuedToken {
  readonly token: Token;
  readonly secret: string;
}

type NewToken = Pick<
  Token,
  'workspace_id' | 'kind' | 'name' | 'user_id' | 'agent_id' | 'scopes' | 'acts_for' | 'expires_at'
> &
  Partial<Pick<Token, 'attempt_id' | 'project_id' | 'app'>>;

export async function issueToken(tx: Transaction, ids: Ports['ids'], fields: NewToken): Promise<IssuedToken> {
  const secret = mintSecret(fields.kind);
  const token: Token = {
    attempt_id: null,
    project_id: null,
    app: null,
    ...fields,
    id: ids(),
    hash: hashSecret(secret),
    created_at: tx.now,
    revoked_at: null,
  };
  await tx.tokens.insert(token);
  return { token, secret };
}

interface AttemptRun {
  readonly run: Pick<Run, 'user_id'>;
  readonly attempt: Pick<Attempt, 'id' | 'workspace_id' | 'project_id' | 'branch'>;
  readonly expires_at: number | null;
}

/** The scopes of a run's token: it reads its own task, and reports. */
const ATTEMPT_SCOPES: readonly Scope[] = ['board:read', 'execution:report'];

/** Issues a token for one run, which reaches its attempt only. The end of the run revokes it. */
export const issueAttemptToken = (
  tx: Transaction,
  ids: Ports['ids'],
  { run, attempt, expires_at }: AttemptRun,
): Promise<IssuedToken> =>
  issueToken(tx, ids, {
    workspace_id: attempt.workspace_id,
    kind: 'attempt',
    name: `Attempt ${attempt.branch}`,
    user_id: run.user_id,
    // Not the agent who asked for the run: its tokens are rotated, and its grants are wider.
    agent_id: null,
    scopes: ATTEMPT_SCOPES,
    acts_for: 'self',
    attempt_id: attempt.id,
    project_id: attempt.project_id,
    expires_at,
  });

export type TokenStatus = 'live' | 'expired' | 'revoked';

export function statusOf({ revoked_at, expires_at }: Token, now: number): TokenStatus {
  if (revoked_at !== null) return 'revoked';
  return expires_at === null || expires_at > now ? 'live' : 'expired';
}

/** A token in the form for the audit trail's digest, without its hash. */
export const withoutHash = ({ hash: _, ...token }: Token): Omit<Token, 'hash'> => token;

const notHeld = (missing: readonly Scope[], where: string): ErrandError =>
  new ErrandError(
    'insufficient_scope',
    `You cannot hand out scopes that you do not hold${where}: ${missing.join(', ')}.`,
  );

/** Refuses scopes that the caller does not hold: a token would otherwise raise its rights. */
export function mayHandOut(caller: Caller, scopes: readonly Scope[]): void {
  const missing = scopes.filter((scope) => !caller.scopes.has(scope));
  if (missing.length > 0) throw notHeld(missing, '');
}

/** Refuses scopes that the caller does not hold in this project. */
export function mayHandOutIn(caller: Caller, project: ProjectId, scopes: readonly Scope[]): void {
  mayHandOut(caller, scopes);
  const held = rightsIn(caller.reach, project)?.scopes;
  const missing = scopes.filter((scope) => PROJECT_SCOPES.has(scope) && held?.has(scope) !== true);
  if (missing.length > 0) throw notHeld(missing, ` in project ${project}`);
}

/** The expiry of a new token: as asked, but never after that of the caller's token. */
export function expiryFor(
  caller: Caller,
  now: number,
  { asked, otherwise }: { readonly asked: string | undefined; readonly otherwise: string | null },
): number | null {
  const life = asked ?? otherwise;
  const wanted = life === null ? null : now + milliseconds(life);
  if (caller.expires_at === null || (wanted !== null && wanted <= caller.expires_at)) return wanted;
  if (asked === undefined) return caller.expires_at;
  throw new ErrandError(
    'validation_error',
    say`${{ field: 'expires_in' }}: a token cannot outlive the one that makes it.`,
  );
}

interface Request {
  readonly kind: 'user' | 'service';
  readonly name: string;
  readonly user_id?: UserId | undefined;
  readonly user_ids?: readonly string[] | undefined;
  /** The app whose users a service token names; by default the token's name. */
  readonly app?: string | undefined;
  readonly scopes: readonly Scope[];
  readonly expires_in?: string | undefined;
}

function mustFitKind({ kind, user_ids, app }: Request): void {
  if (kind === 'user' && (user_ids ?? app) !== undefined) {
    throw new ErrandError(
      'validation_error',
      say`${{ field: app === undefined ? 'user_ids' : 'app' }}: only a service token lists users.`,
      { hint: say`Use kind service, or ${{ field: 'user_id' }} for a personal token.` },
    );
  }
  if (kind === 'service' && user_ids === undefined) {
    throw new ErrandError('validation_error', say`${{ field: 'user_ids' }}: a service token lists whom it acts for.`, {
      hint: 'Give the ids that your app gives its users, or "*" for all of them.',
    });
  }
}

/** Refuses a token for a user who does not exist or is blocked. */
export async function mustBeActiveUser({ tx, caller }: ReadWork, id: UserId): Promise<User> {
  const user = await tx.users.find(caller.workspace_id, id);
  if (user !== null && user.app !== null) {
    throw new ErrandError('validation_error', `User ${id} belongs to the app ${user.app}, and has no tokens.`, {
      hint: say`Make a service token of that app instead: ${{ command: 'token create' }} --kind service --app NAME.`,
    });
  }
  if (user?.status === 'active') return user;
  if (user !== null) throw new ErrandError('validation_error', `User ${id} is blocked: a token would not work.`);
  throw new ErrandError('not_found', `No user ${id}.`, {
    hint: say`${{ call: 'admin_list_users' }} for names and ids.`,
  });
}

/** The users that a new token may name: people by their ids, and users of an app by the app's ids. */
interface Named {
  readonly acts_for: ActsFor;
  readonly app: AppAccess | null;
}

const OWN_USER: Named = { acts_for: 'self', app: null };

const isPerson = async ({ tx, caller }: ReadWork, id: string): Promise<boolean> => {
  // Safe: an id that an app made is not found.
  const user = await tx.users.find(caller.workspace_id, id as UserId);
  return user !== null && user.app === null;
};

/** Refuses users that the service's own token may not name. */
function mayHandOutUsers(caller: Caller, people: readonly UserId[], { name, user_ids }: AppAccess): void {
  if (caller.kind !== 'service' || (caller.app === null && caller.acts_for === '*')) return;
  const isHeld = (id: string): boolean => mayName(caller.app, { app: name, external_id: id });
  const all = user_ids === '*' ? caller.app?.name === name && caller.app.user_ids === '*' : user_ids.every(isHeld);
  if (all && people.every((id) => mayActFor(caller, id))) return;
  throw new ErrandError('insufficient_scope', 'A service cannot hand out users that it may not name itself.');
}

async function namedBy(work: ReadWork, { kind, name, user_ids, app = name }: Request): Promise<Named> {
  if (kind === 'user' || user_ids === undefined) return OWN_USER;
  const people: UserId[] = [];
  const own: string[] = [];
  for (const id of new Set(user_ids)) {
    if (await isPerson(work, id)) {
      // Safe: it was found among the users.
      await mustBeActiveUser(work, id as UserId);
      people.push(id as UserId);
    } else own.push(id);
  }
  const access: AppAccess = { name: app, user_ids: own.includes('*') ? '*' : own };
  mayHandOutUsers(work.caller, people, access);
  return { acts_for: people, app: access };
}

async function usable(tx: Reads, hash: string): Promise<KnownToken | null> {
  const presented = await tx.tokens.present(hash);
  return presented !== null && isUsable(presented) ? presented.known : null;
}

export function createTokens({ ids, cursors }: Ports) {
  return {
    create: async (work: WriteWork, request: Request): Promise<IssuedToken> => {
      const { tx, caller } = work;
      mustFitKind(request);
      mayHandOut(caller, request.scopes);
      const user_id = request.user_id ?? caller.user_id;
      await mustBeActiveUser(work, user_id);

      const named = await namedBy(work, request);
      if (named.app !== null) await tx.appUsers.openApp(caller.workspace_id, named.app.name);
      const issued = await issueToken(tx, ids, {
        workspace_id: caller.workspace_id,
        kind: request.kind,
        name: request.name,
        user_id,
        agent_id: null,
        scopes: request.scopes,
        ...named,
        expires_at: expiryFor(caller, tx.now, { asked: request.expires_in, otherwise: null }),
      });
      work.changed(null, withoutHash(issued.token));
      return issued;
    },

    list: ({ tx, caller }: ReadWork, page: PageRequest): Promise<PageOf<Token>> =>
      readPage(cursors, page, {
        name: `tokens:${caller.workspace_id}`,
        read: (part) => tx.tokens.list(caller.workspace_id, part),
      }),

    revoke: async ({ tx, caller, changed }: WriteWork, id: TokenId): Promise<void> => {
      const token = await tx.tokens.find(caller.workspace_id, id);
      if (token === null) {
        throw new ErrandError('not_found', `No token ${id}.`, { hint: say`${{ call: 'admin_list_tokens' }} for ids.` });
      }
      await tx.tokens.revoke(caller.workspace_id, id, tx.now);
      changed(withoutHash(token), withoutHash({ ...token, revoked_at: token.revoked_at ?? tx.now }));
    },

    /** The token of a secret; null when it is unknown or no longer valid. */
    present: async (tx: Reads, secret: string): Promise<KnownToken | null> =>
      isWellFormedSecret(secret) ? await usable(tx, hashSecret(secret)) : null,

    /** The token by its hash, for a later check; null when it is no longer valid. */
    recall: (tx: Reads, hash: string): Promise<KnownToken | null> => usable(tx, hash),
  };
}

export type Tokens = ReturnType<typeof createTokens>;
