import type { Channel } from './call.ts';
import { asRpcError, LimitError } from './failures.ts';
import { errorText, INVALID_REQUEST, type RpcMessage, type RpcRequest, readMessage } from './json-rpc.ts';
import type { Session } from './sessions.ts';
import { BATCHING_VERSION, PROTOCOL_VERSION, UNNAMED_VERSION } from './versions.ts';
import { call2025, serve, type Wire } from './wire.ts';

const MAX_BATCH = 100;

export interface Batch<Caller> {
  readonly messages: readonly unknown[];
  readonly session: Session | null;
  readonly caller: Caller;
  readonly version: string | undefined;
  /** The limit of bytes of all answers. Requests after it are refused. */
  readonly max_bytes: number;
  readonly request_id?: string | undefined;
  /** Resolves when the next request may start. A rejection is the answer to that request. */
  readonly turn?: () => Promise<void>;
}

/** Returns why a batch is refused: only 2025-03-26 has batches. Null when it is accepted. */
export function batchProblem({
  messages,
  session,
  version,
}: Pick<Batch<unknown>, 'messages' | 'session' | 'version'>): string | null {
  const spoken = session?.protocol_version ?? version ?? UNNAMED_VERSION;
  if (spoken !== BATCHING_VERSION) return 'This revision has no batches.';
  return messages.length === 0 || messages.length > MAX_BATCH ? `A batch has 1 to ${MAX_BATCH} messages.` : null;
}

/**
 * Answers a batch, one request after another. The next request starts only when its answer is pulled: a client that
 * does not read then holds one answer in memory, not a hundred.
 */
export async function* batchAnswers<Caller>(wire: Wire<Caller>, batch: Batch<Caller>): AsyncGenerator<string, void> {
  let bytes = 0;
  for (const value of batch.messages) {
    const message = readMessage(value);
    if (message.kind !== 'request' && message.kind !== 'malformed') continue;
    const text = await answerOne(wire, batch, { message, isFull: bytes >= batch.max_bytes });
    bytes += Buffer.byteLength(text);
    yield text;
  }
}

interface Item {
  readonly message: RpcRequest | Extract<RpcMessage, { kind: 'malformed' }>;
  readonly isFull: boolean;
}

async function answerOne<Caller>(
  wire: Wire<Caller>,
  { session, caller, turn, request_id }: Batch<Caller>,
  { message, isFull }: Item,
): Promise<string> {
  const { id } = message;
  if (message.kind === 'malformed') return errorText(id, INVALID_REQUEST, message.message);
  if (message.method === 'initialize' || PROTOCOL_VERSION in message.meta) {
    return errorText(id, INVALID_REQUEST, 'This request cannot be part of a batch.');
  }
  try {
    if (isFull) throw new LimitError('The answers to this batch are long enough. Ask for the rest in another.');
    await turn?.();
  } catch (error) {
    const { code, message: words, data } = asRpcError(error, wire, request_id);
    return errorText(id, code, words, data);
  }
  const channel = quietChannel(session);
  return (await serve(wire, call2025(wire, { request: message, caller, channel, request_id }))).text;
}

/** A channel without messages before the answer: the answers of a batch are sent together. */
const quietChannel = (session: Session | null): Channel => ({
  session,
  streams: false,
  send: () => undefined,
  ask: null,
  begin: () => undefined,
  change: () => undefined,
  news: null,
  openStream: () => undefined,
  keeps: false,
  closeStream: () => undefined,
  onGone: () => undefined,
});
