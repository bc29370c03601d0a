import type { IncomingMessage } from 'node:http';
import { ErrandError } from '#errors';
import type { Call, Gateway } from '#gateway/gateway';
import { type AddressOf, networkOf } from './address.ts';
import { mustBeSameOrigin } from './web/same-origin.ts';
import { sessionIn } from './web/session-cookie.ts';

const WINDOW_MS = 60_000;
const MAX_FAILURES = 60;
const MAX_ADDRESSES = 10_000;
const BEARER = /^Bearer +([^\s]+) *$/i;

/** Returns the token of a request. Only the header counts: a token in a URL ends up in logs and histories. */
function tokenOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  const [, token] = BEARER.exec(header) ?? [];
  if (token === undefined) throw new ErrandError('unauthenticated', 'Send the token as "Authorization: Bearer TOKEN".');
  return token;
}

/** Counts failures per address. An address that guesses gets `rate_limited` for a wrong token; a valid token never does. */
function createGuessCounter(now: () => number) {
  let failures = new Map<string, number>();
  let ends_at = 0;

  return (address: string, error: ErrandError): ErrandError => {
    if (now() >= ends_at) {
      failures = new Map();
      ends_at = now() + WINDOW_MS;
    }
    const count = (failures.get(address) ?? 0) + 1;
    if (failures.size < MAX_ADDRESSES || failures.has(address)) failures.set(address, count);
    if (count <= MAX_FAILURES) return error;
    return new ErrandError(
      'rate_limited',
      'Too many wrong tokens came from this address. Wait, then send a valid one.',
      {
        retry_after_ms: ends_at - now(),
      },
    );
  };
}

/** What a request says about its caller: a token in its header, or the session of a browser in its cookie. */
interface Credential {
  readonly token: string | null;
  readonly is_session: boolean;
}

/** The header counts more than the cookie: a program that runs in a browser names its token itself. */
function credentialOf(req: IncomingMessage): Credential {
  const token = tokenOf(req.headers.authorization);
  const session = token === null ? sessionIn(req) : null;
  return { token: token ?? session, is_session: session !== null };
}

/** A request with its caller. A field, because the garbage collector has more work with a WeakMap. */
const CALLER = Symbol('caller');
type Identified = IncomingMessage & { [CALLER]?: Promise<Call['caller']> | undefined };

export type Authenticate = (req: IncomingMessage) => Promise<Call['caller']>;

export interface Bearer {
  /** For programs: only the header counts. Rejects with `unauthenticated`, or `rate_limited` for an address that guesses. */
  readonly authenticate: Authenticate;
  /** For programs and for our pages, which have the session cookie. Rejects with `cross_site` when the page of another server has asked. */
  readonly authenticateAny: Authenticate;
  /**
   * The caller of a request; null without a valid token. The first call of the other two functions uses the same
   * result.
   */
  readonly identify: (req: IncomingMessage) => Promise<string | null>;
}

/** Authenticates requests. The gateway is asked for every single one. */
export function createBearer(
  gateway: Pick<Gateway, 'authenticate' | 'passOf' | 'sawSession'>,
  now: () => number,
  addressOf: AddressOf,
): Bearer {
  const countFailure = createGuessCounter(now);
  let anonymous: Promise<string | null> | null = null;

  async function ask(req: IncomingMessage, { token, is_session }: Credential): Promise<Call['caller']> {
    try {
      return await gateway.authenticate(token);
    } catch (error) {
      if (token === null || !(error instanceof ErrandError) || error.code !== 'unauthenticated') throw error;
      const refusal = countFailure(networkOf(addressOf(req)), error);
      // A page whose session has ended must learn so, also where somebody guesses, or it never asks to sign in.
      throw is_session ? error : refusal;
    }
  }

  // Async, so that a header in no known form rejects as a wrong token does.
  const askBy = async (req: IncomingMessage): Promise<Call['caller']> => ask(req, credentialOf(req));

  async function passBehind(caller: Promise<Call['caller']>): Promise<string | null> {
    try {
      return gateway.passOf(await caller);
    } catch {
      return null;
    }
  }

  function callerOf(req: Identified, credential: Credential): Promise<Call['caller']> {
    const answer = req[CALLER];
    if (answer === undefined) return ask(req, credential);
    req[CALLER] = undefined;
    return answer;
  }

  return {
    authenticate: async (req: Identified) => {
      const token = tokenOf(req.headers.authorization);
      const credential = { token, is_session: false };
      return token === null ? ask(req, credential) : callerOf(req, credential);
    },

    authenticateAny: async (req: Identified) => {
      const credential = credentialOf(req);
      if (!credential.is_session) return callerOf(req, credential);
      mustBeSameOrigin(req);
      const caller = await callerOf(req, credential);
      if (caller.fault === null) gateway.sawSession(caller, addressOf(req));
      return caller;
    },

    identify: async (req: Identified) => {
      const { authorization, cookie } = req.headers;
      if (authorization === undefined && cookie === undefined) {
        anonymous ??= passBehind(gateway.authenticate(null));
        return anonymous;
      }
      const answer = askBy(req);
      req[CALLER] = answer;
      return passBehind(answer);
    },
  };
}
