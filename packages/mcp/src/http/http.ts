import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Call } from '#call';
import { checkVersionHeader, classify } from '#classify';
import type { McpHost } from '#host';
import {
  errorText,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  PARSE_ERROR,
  RpcError,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
  readMessage,
} from '#json-rpc';
import { MAX_BATCH_BYTES } from '#limits';
import { checkHeaders, checkParamHeaders } from '#rev-2026/headers';
import type { ClientFacts, Session, SessionOptions } from '#sessions';
import { VERSION_2026 } from '#versions';
import { type Arrival, call2025, call2026, createWire, type Reply, serve, type WireOptions } from '#wire';
import { type Accepts, acceptsOf, reads } from './accepts.ts';
import type { Admission } from './admission.ts';
import { BODY_PROBLEMS, type BodyProblem, readJson } from './body.ts';
import { OpenStreams } from './event-stream.ts';
import { answerHttpBatch } from './http-batch.ts';
import { createSessionEndpoint, NO_SESSION } from './http-sessions.ts';
import { PostChannel, writeJson } from './post-channel.ts';
import { resumedRequest, resumeIdOf } from './resume-id.ts';

export interface McpHttpOptions<Caller> extends WireOptions {
  /** Session options. Without them a 2025 client is served request by request, and nothing is kept. */
  readonly sessions?: SessionOptions<Caller>;
  readonly max_batch_bytes?: number;
}

/** The sender of a request. */
export interface From<Caller> {
  readonly caller: Caller;
  /** Authenticates again: after the body has arrived, and repeatedly while the client waits for an answer. */
  readonly confirm?: () => Promise<Caller>;
  /** Called for a stream of a session, which does not end as a request does. */
  readonly leavePlace?: () => void;
  readonly admission?: Admission;
  /** The id of the HTTP request, for calls whose client names no trace. */
  readonly request_id?: string;
}

export interface McpHttp<Caller> {
  /** Answers one request. Rejects only with errors that `failures` passes on, before anything is written. */
  readonly handle: (req: IncomingMessage, res: ServerResponse, from: From<Caller>) => Promise<void>;
  /** Ends the streams that do not end by themselves. */
  readonly close: () => void;
}

interface Exchange<Caller> extends From<Caller> {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly accepts: Accepts;
}

/** How often the token of an open stream is checked: a stream with a revoked token ends within this time. */
const CONFIRM_EVERY_MS = 2_000;

/** Serves all generations of MCP on one URL. Host, Origin and token must have been checked before. */
export function createMcpHttp<Caller>(host: McpHost<Caller>, options: McpHttpOptions<Caller> = {}): McpHttp<Caller> {
  const wire = createWire(host, options);
  const { max_batch_bytes = MAX_BATCH_BYTES } = options;
  const streams = new OpenStreams<{ windUp(): void }>();
  const lasting = new Set<Call<Caller>>();
  const sessions = options.sessions ? createSessionEndpoint(wire, options.sessions, streams) : null;

  async function post(req: IncomingMessage, res: ServerResponse, from: From<Caller>): Promise<void> {
    const { caller: known, confirm } = from;
    const accepts = acceptsOf(req.headers.accept);
    if (accepts === null) return refuse(res, 406, 'Accept application/json and text/event-stream.');
    const isWhole = req.complete;
    const body = await readJson(req, from.admission);
    if (!body.ok) return refuseBody(res, body.problem);

    const caller = isWhole || confirm === undefined ? known : await confirm();
    const exchange = { ...from, req, res, caller, accepts };
    if (Array.isArray(body.value)) return await batch(exchange, body.value);
    const message = readMessage(body.value);
    if (message.kind === 'request') return await request(exchange, message);
    if (message.kind !== 'malformed') return await receive(exchange, message);
    writeJson(res, 400, errorText(message.id, INVALID_REQUEST, message.message));
  }

  async function request(exchange: Exchange<Caller>, message: RpcRequest): Promise<void> {
    const { req, res } = exchange;
    const generation = classify(message, { version: versionOf(req) });
    if (generation instanceof RpcError) return refuseRequest(res, message, generation);
    if (generation === '2026') return await request2026(exchange, message);

    const session = message.method === 'initialize' ? null : await sessionOf(exchange);
    if (session !== undefined) await request2025(exchange, message, session);
  }

  async function request2025(exchange: Exchange<Caller>, message: RpcRequest, session: Session | null): Promise<void> {
    const arrival = arrive(exchange, message, session);
    const call = call2025(wire, arrival);
    if (session === null || sessions === null) return await answer(exchange, arrival.channel, call);
    const done = sessions.track(session, call);
    await answer(exchange, arrival.channel, call);
    done();
  }

  async function request2026(exchange: Exchange<Caller>, message: RpcRequest): Promise<void> {
    const arrival = arrive(exchange, message, null);
    let call: Call<Caller>;
    try {
      checkHeaders(message, exchange.req.headers);
      const { mirroring } = host.tools;
      if (mirroring !== undefined && message.method === 'tools/call') {
        checkParamHeaders(message, exchange.req.headers, mirroring);
      }
      call = call2026(wire, arrival);
    } catch (error) {
      if (error instanceof RpcError) return refuseRequest(exchange.res, message, error);
      throw error;
    }
    await answer(exchange, arrival.channel, call);
  }

  function arrive(
    { req, res, caller, accepts, request_id }: Exchange<Caller>,
    request: RpcRequest,
    session: Session | null,
  ): Arrival<Caller> & { channel: PostChannel } {
    const { store, log = null } = options.sessions ?? {};
    const open = store === undefined ? null : (facts: ClientFacts) => store.open(caller, facts);
    const resume_id = session === null || log !== null ? undefined : resumeIdOf(request);
    const newsOf = sessions?.newsOf ?? null;
    const channel = new PostChannel({ res, accepts, streams, open, log, session, resume_id, newsOf });
    const { traceparent, 'user-agent': user_agent } = req.headers;
    return { request, caller, channel, traceparent, user_agent, request_id, version: versionOf(req) };
  }

  async function answer(exchange: Exchange<Caller>, channel: PostChannel, call: Call<Caller>): Promise<void> {
    channel.call = call;
    const served = serve(wire, call);
    const forget = call.lasting ? attend(exchange, call) : undefined;
    const reply: Reply = served instanceof Promise ? await served : served;
    forget?.();
    if (call.cancelled || (call.wound_up && channel.resumes)) channel.abandon();
    else channel.finish(reply.status, reply.text);
  }

  /** Ends a lasting call with the server, and when its caller loses the right to it. Returns a function to forget it. */
  function attend({ res, confirm }: Exchange<Caller>, call: Call<Caller>): () => void {
    const giveUp = (): void => {
      call.cancel();
      res.destroy();
    };
    const stop = confirmAgain(confirm, giveUp);
    lasting.add(call);
    return () => {
      stop();
      lasting.delete(call);
    };
  }

  /** Takes notifications and responses, which get no answer. */
  async function receive(exchange: Exchange<Caller>, message: RpcNotification | RpcResponse): Promise<void> {
    const { req, res } = exchange;
    if (versionOf(req) !== VERSION_2026) {
      const session = await sessionOf(exchange);
      if (session === undefined) return;
      const isTaken = message.kind === 'response' && (await wire.takeAnswer?.(message, exchange.caller, session));
      if (session !== null && !isTaken) await sessions?.receive(session, message);
    }
    res.writeHead(202).end();
  }

  async function batch(exchange: Exchange<Caller>, messages: readonly unknown[]): Promise<void> {
    const session = await sessionOf(exchange);
    if (session === undefined) return;
    const { caller, request_id } = exchange;
    const asked = { messages, session, caller, version: versionOf(exchange.req), request_id };
    await answerHttpBatch(wire, exchange, { ...asked, max_bytes: max_batch_bytes });
  }

  /** Finds the session; undefined when the request was refused because of its version or session. */
  async function sessionOf({ req, res, caller }: Exchange<Caller>): Promise<Session | null | undefined> {
    const unsupported = checkVersionHeader({ version: versionOf(req) });
    if (unsupported === undefined) return sessions === null ? null : await sessions.find(req, res, caller);
    writeJson(res, 400, errorText(undefined, unsupported.code, unsupported.message, unsupported.data));
    return undefined;
  }

  /** Opens the stream of a session, or resumes a request whose stream broke. */
  async function listen(exchange: Exchange<Caller>): Promise<void> {
    const { req, res, caller, confirm, leavePlace } = exchange;
    const request = options.sessions?.log ? undefined : resumedRequest(req.headers['last-event-id']);
    if (request === undefined || !reads(req.headers.accept, 'text/event-stream')) {
      if (!(await sessions?.stream(req, res, caller))) return;
      leavePlace?.();
      const stop = confirmAgain(confirm, () => res.destroy());
      return void res.once('close', stop);
    }
    const session = await sessionOf(exchange);
    if (session) await request2025(exchange, request, session);
    else if (session === null) refuse(res, 400, NO_SESSION);
  }

  async function route(req: IncomingMessage, res: ServerResponse, from: From<Caller>): Promise<void> {
    if (req.method === 'POST') return await post(req, res, from);
    if (sessions !== null && req.method === 'GET') return await listen({ ...from, req, res, accepts: 'stream' });
    if (sessions !== null && req.method === 'DELETE') return await sessions.end(req, res, from.caller);
    res.setHeader('allow', sessions === null ? 'POST' : 'GET, POST, DELETE');
    refuse(res, 405, 'Method not allowed.');
  }

  return {
    handle: (req, res, from) =>
      route(req, res, from).catch((error: unknown) => {
        if (!res.headersSent && wire.failures.passesOn(error)) throw error;
        wire.report(error);
        if (res.headersSent) res.destroy();
        else writeJson(res, 500, errorText(undefined, INTERNAL_ERROR, 'Internal error'));
      }),
    close: () => {
      for (const call of lasting) call.windUp();
      streams.windUp();
    },
  };
}

/** Checks repeatedly whether the caller is still valid; calls `giveUp` when not. Returns a stop function. */
function confirmAgain(confirm: (() => Promise<unknown>) | undefined, giveUp: () => void): () => void {
  const timer = confirm && setInterval(() => void confirm().catch(giveUp), CONFIRM_EVERY_MS).unref();
  return () => clearInterval(timer);
}

function versionOf({ headers }: IncomingMessage): string | undefined {
  const version = headers['mcp-protocol-version'];
  return typeof version === 'string' ? version : undefined;
}

function refuse(res: ServerResponse, status: number, message: string): void {
  writeJson(res, status, errorText(undefined, INVALID_REQUEST, message));
}

function refuseRequest(res: ServerResponse, { id }: RpcRequest, { code, message, data }: RpcError): void {
  writeJson(res, 400, errorText(id, code, message, data));
}

function refuseBody(res: ServerResponse, problem: BodyProblem): void {
  if (problem === 'aborted') return void res.destroy();
  const { status, message } = BODY_PROBLEMS[problem];
  const code = problem === 'invalid_json' || problem === 'invalid_utf8' ? PARSE_ERROR : INVALID_REQUEST;
  if (problem === 'too_large') res.setHeader('connection', 'close');
  writeJson(res, status, errorText(undefined, code, message));
}
