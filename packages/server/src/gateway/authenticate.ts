import { say } from '#advice';
import type { Caller } from '#domain/caller';
import type { AgentId, AttemptId, RunId, UserId } from '#domain/ids';
import { everywhere, reachOf, scopesOf } from '#domain/reach';
import { readableRuns } from '#domain/run-visibility';
import { ALL_SCOPES, type Scope } from '#domain/scope';
import type { KnownToken } from '#domain/token';
import { ErrandError, isDatabaseError } from '#errors';
import type { Installation } from '#services/installation';
import type { Tokens } from '#services/tokens';
import type { Reads } from '#store/store';

/** A caller that works in an attempt sees tools that no other caller sees. */
const IN_ATTEMPT = '@attempt';

const scopeKey = (scopes: Iterable<Scope>, isInAttempt = false): string =>
  [...[...scopes].sort(), ...(isInAttempt ? [IN_ATTEMPT] : [])].join(' ');

function callerOf(known: KnownToken): Caller {
  const { token } = known;
  const reach = reachOf(known);
  const scopes = scopesOf(reach, token.scopes);
  return {
    kind: token.kind,
    workspace_id: token.workspace_id,
    user_id: token.user_id,
    agent_id: token.agent_id,
    token_id: token.id,
    attempt_id: token.attempt_id,
    // For services and attempts the token is the identity. Agents and people keep their idempotency keys when their token is rotated.
    principal_id: token.agent_id ?? (token.kind === 'user' ? token.user_id : token.id),
    scopes,
    reach,
    held: new Set(token.scopes),
    acts_for: token.acts_for,
    app: token.app,
    expires_at: token.expires_at,
    fault: null,
    scope_key: scopeKey(scopes, token.attempt_id !== null),
  };
}

function localOwner({ workspace_id, owner_id }: Installation, scopes: readonly Scope[]): Caller {
  return {
    kind: 'local',
    workspace_id,
    user_id: owner_id,
    agent_id: null,
    token_id: null,
    attempt_id: null,
    principal_id: owner_id,
    scopes: new Set(scopes),
    reach: everywhere(scopes),
    held: new Set(scopes),
    acts_for: '*',
    app: null,
    expires_at: null,
    fault: null,
    scope_key: scopeKey(scopes),
  };
}

const stranger = (local: Caller, fault: ErrandError): Caller => ({
  ...local,
  kind: 'stranger',
  // The id of no user. Only logs show it: every call of such a caller fails.
  user_id: 'unknown' as UserId,
  principal_id: '',
  scopes: new Set(),
  reach: new Map(),
  held: new Set(),
  acts_for: 'self',
  fault,
  scope_key: '',
});

const TOKEN_PASS = 'token:';

/** Separates the identity of a caller from the attempt that its process was started from. */
const PLACE = '@';

const unauthenticated = (token: 'missing' | 'invalid'): ErrandError =>
  new ErrandError('unauthenticated', 'A valid token is needed: this one is missing, unknown, expired or revoked.', {
    hint: say`Send "Authorization: Bearer <token>". The person who runs this server makes one with: ${{ command: 'token create' }}, or ${{ command: 'agent create' }}.`,
    details: { token },
  });

interface Needs {
  readonly reads: Reads;
  readonly tokens: Tokens;
  readonly installation: Installation;
  readonly allowAnonymous: boolean;
  /** Called for every request of an agent. */
  readonly sawAgent: (agent_id: AgentId) => void;
}

/** Authenticates a token. Every reason for a refusal has the same message, so that guessing reveals nothing. */
export function createAuthenticate({ reads, tokens, installation, allowAnonymous, sawAgent }: Needs) {
  const local = localOwner(installation, ALL_SCOPES);
  const anonymous = localOwner(
    installation,
    ALL_SCOPES.filter((scope) => scope !== 'admin'),
  );
  // The store returns the same object while nothing changed, so the caller is built once.
  const callers = new WeakMap<KnownToken, Caller>();
  const passes = new WeakMap<Caller, string>([
    [local, 'local'],
    [anonymous, 'anonymous'],
  ]);

  function callerBehind(known: KnownToken): Caller {
    const built = callers.get(known);
    if (built !== undefined) return built;
    const caller = callerOf(known);
    callers.set(known, caller);
    passes.set(caller, `${TOKEN_PASS}${known.token.hash}`);
    return caller;
  }

  // When the database is away, the call must fail with that reason and not with "unauthenticated".
  const unlessAway = async <Found>(asked: Promise<Found>): Promise<Found | ErrandError> => {
    try {
      return await asked;
    } catch (error) {
      if (isDatabaseError(error)) return error;
      throw error;
    }
  };

  async function behind(pass: string): Promise<Caller> {
    if (pass === 'local') return local;
    if (pass === 'anonymous' && allowAnonymous) return anonymous;
    const token = pass.startsWith(TOKEN_PASS) ? await tokens.recall(reads, pass.slice(TOKEN_PASS.length)) : null;
    if (token === null) throw unauthenticated('invalid');
    return callerBehind(token);
  }

  function placed(caller: Caller, attempt: AttemptId): Caller {
    const there = { ...caller, context_attempt_id: attempt, scope_key: scopeKey(caller.scopes, true) };
    passes.set(there, `${passes.get(caller) ?? ''}${PLACE}${attempt}`);
    return there;
  }

  return {
    local,

    authenticate: async (bearer: string | null): Promise<Caller> => {
      if (bearer === null && allowAnonymous) return anonymous;
      const token = bearer === null ? null : await unlessAway(tokens.present(reads, bearer));
      if (token instanceof ErrandError) return stranger(local, token);
      if (token === null) throw unauthenticated(bearer === null ? 'missing' : 'invalid');
      const caller = callerBehind(token);
      if (caller.agent_id !== null) sawAgent(caller.agent_id);
      return caller;
    },

    passOf: (caller: Caller): string => {
      if (caller.fault !== null) throw caller.fault;
      const pass = passes.get(caller);
      if (pass === undefined) throw unauthenticated('missing');
      return pass;
    },

    recall: async (pass: string): Promise<Caller> => {
      // `placed` made this text: the caller's pass, PLACE, the attempt's id.
      const [who = '', attempt] = pass.split(PLACE);
      const caller = await behind(who);
      return attempt === undefined ? caller : placed(caller, attempt as AttemptId);
    },

    asAgent: async (caller: Caller, id: string): Promise<Caller> => {
      if (caller.fault !== null) throw caller.fault;
      if (!caller.scopes.has('admin')) {
        throw new ErrandError('insufficient_scope', 'Only an admin sees what an agent sees.', {
          details: { required_scope: 'admin' },
        });
      }
      // A text that is no id finds no token.
      const known = await reads.tokens.ofAgent(caller.workspace_id, id as AgentId);
      for (const { hash } of known.toReversed()) {
        const token = await tokens.recall(reads, hash);
        if (token !== null) return callerBehind(token);
      }
      throw new ErrandError('not_found', `No agent ${id} with a valid token.`, {
        hint: say`${{ call: 'admin_list_agents' }} for ids. ${{ command: 'agent rotate' }} makes a token.`,
      });
    },

    inRun: async (caller: Caller, id: string): Promise<Caller> => {
      if (caller.fault !== null || caller.attempt_id !== null) return caller;
      // The environment may hold anything: a text that is no id finds no run.
      const run = await unlessAway(reads.runs.seen(readableRuns(caller), id as RunId));
      if (run === null || run instanceof ErrandError || run.attempt_id === null) return caller;
      return placed(caller, run.attempt_id);
    },
  };
}
