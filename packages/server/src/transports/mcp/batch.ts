import type { Channel } from './call.ts';
import { errorText, INVALID_REQUEST, readMessage } from './json-rpc.ts';
import type { Session } from './sessions.ts';
import { BATCHING_VERSION, PROTOCOL_VERSION, UNNAMED_VERSION } from './versions.ts';
import { call2025, type Reply, serve, type Wire } from './wire.ts';

const MAX_BATCH = 100;

export interface Batch<Caller> {
  readonly messages: readonly unknown[];
  readonly session: Session | null;
  readonly caller: Caller;
  readonly version: string | undefined;
}

/** Several messages at once: 2025-03-26 alone has them. An empty text means that there is nothing to answer. */
export async function answerBatch<Caller>(wire: Wire<Caller>, batch: Batch<Caller>): Promise<Reply> {
  const { messages, session, caller, version } = batch;
  if ((session?.protocol_version ?? version ?? UNNAMED_VERSION) !== BATCHING_VERSION) {
    return refusal('This revision has no batches.');
  }
  if (messages.length === 0 || messages.length > MAX_BATCH) return refusal(`A batch has 1 to ${MAX_BATCH} messages.`);

  const channel = quietChannel(session);
  const answers = messages.map((value) => {
    const message = readMessage(value);
    if (message.kind === 'malformed') return errorText(message.id, INVALID_REQUEST, message.message);
    if (message.kind !== 'request') return undefined;
    if (message.method === 'initialize' || PROTOCOL_VERSION in message.meta) {
      return errorText(message.id, INVALID_REQUEST, 'This request cannot be part of a batch.');
    }
    return answerOne(wire, call2025(wire, { request: message, caller, channel }));
  });
  const texts = (await Promise.all(answers)).filter((text) => text !== undefined);
  return texts.length === 0 ? { status: 202, text: '' } : { status: 200, text: `[${texts.join(',')}]` };
}

async function answerOne<Caller>(wire: Wire<Caller>, call: Parameters<typeof serve<Caller>>[1]): Promise<string> {
  return (await serve(wire, call)).text;
}

const refusal = (message: string): Reply => ({ status: 400, text: errorText(undefined, INVALID_REQUEST, message) });

/** Answers of a batch come together, so nothing can be said before them. */
const quietChannel = (session: Session | null): Channel => ({
  session,
  streams: false,
  send: () => undefined,
  ask: null,
  begin: () => undefined,
  change: () => undefined,
  news: null,
  openStream: () => undefined,
  closeStream: () => undefined,
  onGone: () => undefined,
});
