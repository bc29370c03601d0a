import type { IncomingMessage } from 'node:http';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { ErrandError } from '#errors';
import type { Call, Gateway } from '#gateway/gateway';
import type { Failure } from '#gateway/outcome';
import { adminFields } from '#tools/admin/fields';
import type { AddressOf } from '#transports/address';
import { SECURITY_HEADERS } from '#transports/answer';
import { askTool } from '#transports/ask-tool';
import { beganCall, incomingOf } from './request.ts';
import { mustBeSameOrigin } from './same-origin.ts';
import { browserOf, dropSession, keepSession, sessionOf } from './session.ts';
import { createSignInLimits } from './sign-in-limits.ts';

interface Needs {
  readonly gateway: Gateway;
  readonly clock: () => number;
  readonly addressOf: AddressOf;
  /** Answers with a failure as JSON. */
  readonly refuse: (c: Context, failure: Failure | ErrandError) => Response;
}

const MAX_BODY_BYTES = 4_096;

/** Only texts in the form of a key are looked up, because anyone may ask. */
const KEY = /^[\w-]{22}$/;

const FirstAdmin = z.strictObject({
  key: z.string().regex(KEY),
  name: z.string().max(1_000),
  password: z.string().max(1_000),
});
// The name is read as the tool reads it: invisible characters must not make another name of it, with tries of its own.
const Credentials = z.strictObject({ name: adminFields.name, password: z.string().min(1).max(200) });

/** Reads the body, and stops at its limit: anyone may send one here, and a chunked one does not say how long it is. */
async function textOf(c: Context): Promise<string> {
  const announced = Number(c.req.header('content-length') ?? 0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (announced <= MAX_BODY_BYTES) {
    for await (const chunk of c.req.raw.body ?? []) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) break;
      chunks.push(chunk);
    }
  }
  if (Math.max(announced, size) <= MAX_BODY_BYTES) return Buffer.concat(chunks).toString();
  throw new ErrandError('payload_too_large', `The body may have ${MAX_BODY_BYTES} bytes.`);
}

/** What a page sends. A form cannot send this type, so it cannot sign anyone in or out. */
async function bodyOf<Shape extends z.ZodObject>(c: Context, shape: Shape): Promise<z.output<Shape>> {
  if (!/^application\/json\s*(?:;|$)/i.test(c.req.header('content-type') ?? '')) {
    throw new ErrandError('unsupported_media_type', 'Send the body as application/json.');
  }
  const parsed = shape.safeParse(jsonIn(await textOf(c)));
  if (!parsed.success) throw new ErrandError('validation_error', `Send ${fieldsOf(shape)} as JSON.`);
  return parsed.data;
}

const fieldsOf = (shape: z.ZodObject): string =>
  `{${Object.keys(shape.shape)
    .map((name) => JSON.stringify(name))
    .join(', ')}}`;

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The request as Node has it; in tests only its headers. */
const requestOf = (c: Context): IncomingMessage =>
  incomingOf(c) ??
  // Safe: `mustBeSameOrigin` reads nothing else.
  ({ method: c.req.method, headers: c.req.header() } as unknown as IncomingMessage);

/** Signing in with a password, and signing out. Both are for pages of this server only. */
export function createSignInRoutes({ gateway, clock, refuse, addressOf }: Needs): Hono {
  const app = new Hono();
  const limits = createSignInLimits(clock);

  const done = (c: Context): Response => c.body(null, 204, SECURITY_HEADERS);

  app.get('/signin/options', async (c) =>
    c.json({ password: await gateway.hasPasswords(), oidc: false }, 200, SECURITY_HEADERS),
  );

  app.post('/signin', async (c) => {
    mustBeSameOrigin(requestOf(c));
    const { name, password } = await bodyOf(c, Credentials);
    const browser = browserOf(c, addressOf);
    const attempt = { name, address: browser.address };
    limits.mayTry(attempt);
    // Counted before it is known to be wrong: many tries at once would otherwise all be made.
    limits.failed(attempt);
    const made = await askTool(gateway, {
      profile: 'admin',
      name: 'sign_in',
      caller: await gateway.local(),
      input: { name, password, ...browser },
      transport: 'web',
      correlation_id: beganCall(c),
    });
    if (!made.ok) return refuse(c, made);
    limits.succeeded(attempt);
    keepSession(c, made.value.token);
    return done(c);
  });

  app.post('/signin/first', async (c) => {
    mustBeSameOrigin(requestOf(c));
    const wanted = await bodyOf(c, FirstAdmin);
    const made = await askTool(gateway, {
      profile: 'admin',
      name: 'set_first_admin',
      caller: await gateway.local(),
      input: { ...wanted, ...browserOf(c, addressOf) },
      transport: 'web',
      correlation_id: beganCall(c),
    });
    if (!made.ok) return refuse(c, made);
    keepSession(c, made.value.token);
    return done(c);
  });

  app.post('/signout', async (c) => {
    mustBeSameOrigin(requestOf(c));
    const caller = await callerOf(c);
    dropSession(c);
    if (caller?.token_id == null) return done(c);
    const ended = await askTool(gateway, {
      profile: 'admin',
      name: 'end_session',
      caller,
      input: { browser_session_id: caller.token_id },
      transport: 'web',
      correlation_id: beganCall(c),
    });
    return ended.ok ? done(c) : refuse(c, ended);
  });

  async function callerOf(c: Context): Promise<Call['caller'] | null> {
    const session = sessionOf(c);
    if (session === null) return null;
    try {
      return await gateway.authenticate(session);
    } catch (error) {
      if (error instanceof ErrandError && error.code === 'unauthenticated') return null;
      throw error;
    }
  }

  return app;
}
