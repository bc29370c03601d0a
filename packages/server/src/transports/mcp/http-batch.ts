import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { admissionOf } from '#transports/admission';
import { requestIdOf } from '#transports/request-id';
import { DEFAULT_TRAFFIC } from '#transports/traffic';
import { type Batch, batchAnswers, batchProblem } from './batch.ts';
import { errorText, INVALID_REQUEST } from './json-rpc.ts';
import { writeJson } from './post-channel.ts';
import type { Wire } from './wire.ts';

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Answers a batch as one JSON list, written piece by piece as the client reads it. */
export async function answerHttpBatch<Caller>(
  wire: Wire<Caller>,
  { req, res }: Exchange,
  batch: Pick<Batch<Caller>, 'messages' | 'session' | 'caller' | 'version'>,
): Promise<void> {
  const problem = batchProblem(batch);
  if (problem !== null) return writeJson(res, 400, errorText(undefined, INVALID_REQUEST, problem));

  const admission = admissionOf(req);
  const { max_batch_bytes: max_bytes } = admission?.limits ?? DEFAULT_TRAFFIC;
  const turn = admission && { turn: admission.turn };
  const answers = batchAnswers(wire, { ...batch, ...turn, max_bytes, request_id: requestIdOf(req) });
  const gone = new AbortController();
  res.once('close', () => gone.abort());

  let before = '[';
  for await (const text of answers) {
    if (res.destroyed) return;
    if (!res.headersSent) res.writeHead(200, { 'content-type': 'application/json' });
    const isTaken = res.write(`${before}${text}`);
    before = ',';
    if (isTaken) continue;
    const release = admission?.holdUnread(res);
    await once(res, 'drain', { signal: gone.signal }).catch(() => undefined);
    release?.();
  }
  if (before === '[') res.writeHead(202).end();
  else res.end(']');
}
