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
  /** The `MCP-Protocol-Version` header. */
  readonly version: string | undefined;
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
    const { confirm } = from;
    const accepts = acceptsOf(req.headers.accept);
    if (accepts === null) return refuse(res, 406, 'Accept application/json and text/event-stream.');
    const isWhole = req.complete;
    const body = await readJson(req, from.admission);
    if (!body.ok) return refuseBody(res, body.problem);

    const caller = isWhole || confirm === undefined ? from.caller : await confirm();
    const answering = take({ ...from, req, res, caller, accepts, version: versionOf(req) }, body.value);
    // Most answers are there already, and a promise costs more than a check.
    if (answering !== undefined) await answering;
  }

  function take(exchange: Exchange<Caller>, body: unknown): Promise<void> | void {
    if (Array.isArray(body)) return batch(exchange, body);
    const message = readMessage(body);
    if (message.kind === 'request') return request(exchange, message);
    if (message.kind !== 'malformed') return receive(exchange, message);
    writeJson(exchange.res, 400, errorText(message.id, INVALID_REQUEST, message.message));
  }

  function request(exchange: Exchange<Caller>, message: RpcRequest): Promise<void> | void {
    const generation = classify(message, exchange);
    if (generation instanceof RpcError) return refuseRequest(exchange.res, message, generation);
    if (generation === '2026') return request2026(exchange, message);
    if (sessions === null || message.method === 'initialize') return request2025(exchange, message, null);
    return requestOfSession(exchange, message);
  }

  async function requestOfSession(exchange: Exchange<Caller>, message: RpcRequest): Promise<void> {
    const session = await sessionOf(exchange);
    if (session !== undefined) await request2025(exchange, message, session);
  }

  function request2025(
    exchange: Exchange<Caller>,
    message: RpcRequest,
    session: Session | null,
  ): Promise<void> | undefined {
    const arrival = arrive(exchange, message, session);
    const call = call2025(wire, arrival);
    const done = session === null ? undefined : sessions?.track(session, call);
    const answering = answer(exchange, arrival.channel, call);
    if (done === undefined) return answering;
    return Promise.resolve(answering).then(done);
  }

  function request2026(exchange: Exchange<Caller>, message: RpcRequest): Promise<void> | undefined {
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
      if (!(error instanceof RpcError)) throw error;
      refuseRequest(exchange.res, message, error);
      return undefined;
    }
    return answer(exchange, arrival.channel, call);
  }

  function arrive(
    { req, res, caller, accepts, version, request_id }: Exchange<Caller>,
    request: RpcRequest,
    session: Session | null,
  ): Arrival<Caller> & { channel: PostChannel } {
    const { store, log = null } = options.sessions ?? {};
    const open = store === undefined ? null : (facts: ClientFacts) => store.open(caller, facts);
    const resume_id = session === null || log !== null ? undefined : resumeIdOf(request);
    const newsOf = sessions?.newsOf ?? null;
    const channel = new PostChannel({ res, accepts, streams, open, log, session, resume_id, newsOf });
    const { traceparent, 'user-agent': user_agent } = req.headers;
    return { request, caller, channel, traceparent, user_agent, request_id, version };
  }

  /** Returns a promise only when the answer takes time. */
  function answer(exchange: Exchange<Caller>, channel: PostChannel, call: Call<Caller>): Promise<void> | undefined {
    channel.call = call;
    const served = serve(wire, call);
    if (served instanceof Promise) return answerLater(exchange, channel, call, served);
    finish(channel, call, served);
    return undefined;
  }

  async function answerLater(
    exchange: Exchange<Caller>,
    channel: PostChannel,
    call: Call<Caller>,
    served: Promise<Reply>,
  ): Promise<void> {
    const forget = call.lasting ? attend(exchange, call) : undefined;
    const reply = await served;
    forget?.();
    finish(channel, call, reply);
  }

  function finish(channel: PostChannel, call: Call<Caller>, { status, text }: Reply): void {
    if (call.cancelled || (call.wound_up && channel.resumes)) channel.abandon();
    else channel.finish(status, text);
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
    if (exchange.version !== VERSION_2026) {
      const session = await sessionOf(exchange);
      if (session === undefined) return;
      const isTaken = message.kind === 'response' && (await wire.takeAnswer?.(message, exchange.caller, session));
      if (session !== null && !isTaken) await sessions?.receive(session, message);
    }
    exchange.res.writeHead(202).end();
  }

  async function batch(exchange: Exchange<Caller>, messages: readonly unknown[]): Promise<void> {
    const session = await sessionOf(exchange);
    if (session === undefined) return;
    const { caller, request_id, version } = exchange;
    const asked = { messages, session, caller, version, request_id };
    await answerHttpBatch(wire, exchange, { ...asked, max_bytes: max_batch_bytes });
  }

  /** Finds the session; undefined when the request was refused because of its version or session. */
  async function sessionOf(exchange: Exchange<Caller>): Promise<Session | null | undefined> {
    const { req, res, caller } = exchange;
    const unsupported = checkVersionHeader(exchange);
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
    if (sessions !== null && req.method === 'GET')
      return await listen({ ...from, req, res, accepts: 'stream', version: versionOf(req) });
    if (sessions !== null && req.method === 'DELETE') return await sessions.end(req, res, from.caller);
    res.setHeader('allow', sessions === null ? 'POST' : 'GET, POST, DELETE');
    refuse(res, 405, 'Method not allowed.');
  }

  return {
    handle: (req, res, from) =>
      (req.method === 'POST' ? post : route)(req, res, from).catch((error: unknown) => {
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
