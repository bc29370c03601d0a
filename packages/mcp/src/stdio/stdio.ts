import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { batchAnswers, batchProblem } from '#batch';
import type { Call, Channel } from '#call';
import { changeNotification } from '#changes';
import { classify } from '#classify';
import { asRpcError } from '#failures';
import type { Change, McpHost } from '#host';
import { BODY_PROBLEMS, type BodyProblem, decodeText, parseJson } from '#http/body';
import {
  errorText,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  notificationText,
  oneLine,
  PARSE_ERROR,
  RpcError,
  type RpcId,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
  readMessage,
  requestText,
} from '#json-rpc';
import { MAX_BATCH_BYTES } from '#limits';
import { createOpenQuestions } from '#rev-2025/session-news';
import { createTaskNews, type TaskNews } from '#rev-2025/task-news';
import type { ClientAnswer, Session } from '#sessions';
import { ownerOf } from '#task-requestor';
import { TASKS_VERSION } from '#versions';
import { call2025, call2026, createWire, serve, type Wire, type WireOptions } from '#wire';
import { createLines, type Stop } from './lines.ts';

const GRACE_MS = 1_500;

export interface StdioOptions<Caller> extends WireOptions {
  /** Standard input unless given. */
  readonly input?: Readable;
  /** Standard output unless given. */
  readonly output?: Writable;
  /** Returns the caller. Called for every request, so that a revoked token stops working. */
  readonly authenticate?: () => Promise<Caller>;
  /** Stops before the client closes its input. Running calls are still answered. */
  readonly stop?: Stop;
  /** How long running calls may continue after the client has closed its input. */
  readonly grace_ms?: number;
}

interface Question {
  readonly resolve: (answer: ClientAnswer) => void;
  readonly giveUp: () => void;
}

/** Serves one client over lines of JSON. Resolves when the client has closed its end and its calls are answered. */
export async function serveStdio<Caller>(host: McpHost<Caller>, options: StdioOptions<Caller> = {}): Promise<void> {
  const { input = process.stdin, output = process.stdout, stop, authenticate = nobody, grace_ms = GRACE_MS } = options;
  const wire = createWire(host, options);
  const calls = new Map<RpcId, Call<Caller>>();
  const running = new Set<Promise<void>>();
  const questions = new Map<RpcId, Question>();
  let session: Session | null = null;
  let asked = 0;
  let isWaiting = false;
  let opening: Promise<void> | undefined;
  let unsubscribe: (() => void) | undefined;
  const openQuestions = createOpenQuestions({ claims: null, report: wire.report });
  let news: TaskNews | undefined;

  function write(message: string): void {
    if (output.destroyed || output.writableEnded) return;
    if (output.write(`${oneLine(message)}\n`) || isWaiting) return;
    isWaiting = true;
    input.pause();
    output.once('drain', () => {
      isWaiting = false;
      input.resume();
    });
  }

  const channel: Channel = {
    get session() {
      return session;
    },
    streams: true,
    send: write,
    ask: (method, params, signal) => {
      asked += 1;
      const id = `server-${asked}`;
      const answer = new Promise<ClientAnswer>((resolve, reject) => {
        const giveUp = () => reject(new RpcError(INTERNAL_ERROR, 'The client gave no answer.'));
        questions.set(id, { resolve, giveUp });
        signal.addEventListener('abort', giveUp, { once: true });
      });
      write(requestText(id, method, params));
      return answer.finally(() => questions.delete(id));
    },
    begin: (facts) => {
      session = { ...facts, session_id: randomUUID() };
    },
    change: (change) => {
      if (session !== null) session = { ...session, ...change };
    },
    news: {
      tells: (task_id) => news?.tells(task_id) ?? false,
      announce: (task_id) => news?.expect(task_id),
      meet: (task_id) => news?.meet(task_id),
      openAsker: () => openQuestions.openAsker('stdio'),
    },
    openStream: () => undefined,
    keeps: false,
    closeStream: () => undefined,
    onGone: () => undefined,
  };

  /** From here on the initialized client is sent changes and news of its tasks. */
  function beginTelling(caller: Caller): void {
    unsubscribe ??= host.changes?.subscribe(caller, tell);
    if (host.tasks === undefined || session?.protocol_version !== TASKS_VERSION) return;
    const owner_id = ownerOf(host.tasks, caller, session);
    if (owner_id === null) return;
    const tasks = host.tasks.tasksOf(caller);
    const asker = openQuestions.openAsker('stdio');
    news?.close();
    news = createTaskNews({ tasks, owner_id, session, asker, send: write, report: wire.report });
  }

  function tell(change: Change): void {
    if (change.kind === 'resource' && !session?.subscriptions.includes(change.uri)) return;
    const { method, params } = changeNotification(change);
    write(notificationText(method, params));
  }

  async function answer(request: RpcRequest): Promise<void> {
    const generation = classify(request, null);
    if (generation instanceof RpcError) throw generation;
    const caller = await authenticate();
    const call = (generation === '2026' ? call2026 : call2025)(wire, { request, caller, channel });
    calls.set(request.id, call);
    const { text } = await serve(wire, call);
    if (calls.get(request.id) === call) calls.delete(request.id);
    if (!call.cancelled) write(text);
    if (request.method === 'initialize' && generation === '2025') beginTelling(caller);
  }

  /** Holds requests back until `initialize` is answered: they depend on what it says. */
  function inTurn(request: RpcRequest): Promise<void> {
    const answered = opening === undefined ? answer(request) : opening.then(() => answer(request));
    if (request.method !== 'initialize') return answered;
    const opened = answered
      .catch(() => undefined)
      .finally(() => {
        if (opening === opened) opening = undefined;
      });
    opening = opened;
    return answered;
  }

  async function batch(messages: readonly unknown[]): Promise<void> {
    const asked = { messages, session, caller: await authenticate(), version: undefined };
    const problem = batchProblem(asked);
    if (problem !== null) return write(errorText(undefined, INVALID_REQUEST, problem));
    const texts: string[] = [];
    for await (const text of batchAnswers(wire, { ...asked, max_bytes: MAX_BATCH_BYTES })) texts.push(text);
    if (texts.length > 0) write(`[${texts.join(',')}]`);
  }

  function notice({ method, params }: RpcNotification): void {
    if (method !== 'notifications/cancelled') return;
    const { requestId }: { readonly requestId?: unknown } = params;
    if (typeof requestId === 'string' || typeof requestId === 'number') calls.get(requestId)?.cancel();
  }

  function run(work: Promise<void>, id: RpcId | undefined): void {
    const guarded = work
      .catch((error: unknown) => write(failureText(id, error, wire)))
      .finally(() => running.delete(guarded));
    running.add(guarded);
  }

  function receive(line: Buffer): void {
    const body = decodeText(line);
    if (body.ok && body.text.trim() === '') return;
    const parsed = body.ok ? parseJson(body.text) : body;
    if (!parsed.ok) refuse(parsed.problem);
    else if (Array.isArray(parsed.value)) run(batch(parsed.value), undefined);
    else receiveOne(readMessage(parsed.value));
  }

  function receiveOne(message: RpcMessage): void {
    if (message.kind === 'request') run(inTurn(message), message.id);
    else if (message.kind === 'notification') notice(message);
    else if (message.kind === 'response') run(takeAnswer(message).catch(wire.report), undefined);
    else write(errorText(message.id, INVALID_REQUEST, message.message));
  }

  async function takeAnswer(response: RpcResponse): Promise<void> {
    const question = questions.get(response.id);
    if (question !== undefined || wire.takeAnswer === null) return question?.resolve(response);
    await wire.takeAnswer(response, await authenticate(), session);
  }

  function refuse(problem: BodyProblem): void {
    const code = problem === 'too_large' || problem === 'too_deep' ? INVALID_REQUEST : PARSE_ERROR;
    write(errorText(undefined, code, BODY_PROBLEMS[problem].message));
  }

  await createLines({ input, output, stop, receive, tooLong: () => refuse('too_large') });
  unsubscribe?.();
  news?.close();
  for (const call of calls.values()) call.windUp();
  for (const { giveUp } of questions.values()) giveUp();
  await Promise.race([Promise.allSettled(running), pause(grace_ms)]);
}

// Without `authenticate` all callers are the same.
const nobody = async <Caller>(): Promise<Caller> => null as Caller;

function failureText(id: RpcId | undefined, error: unknown, wire: Pick<Wire<unknown>, 'report' | 'failures'>): string {
  const { code, message, data } = asRpcError(error, wire);
  return errorText(id, code, message, data);
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
