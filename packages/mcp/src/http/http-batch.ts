import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type Batch, batchAnswers, batchProblem } from '#batch';
import { errorText, INVALID_REQUEST } from '#json-rpc';
import type { Wire } from '#wire';
import type { Admission } from './admission.ts';
import { writeJson } from './post-channel.ts';

interface Exchange {
  readonly res: ServerResponse;
  readonly admission?: Admission | undefined;
}

/** Answers a batch as one JSON list, written piece by piece as the client reads it. */
export async function answerHttpBatch<Caller>(
  wire: Wire<Caller>,
  { res, admission }: Exchange,
  batch: Omit<Batch<Caller>, 'turn'>,
): Promise<void> {
  const problem = batchProblem(batch);
  if (problem !== null) return writeJson(res, 400, errorText(undefined, INVALID_REQUEST, problem));

  const answers = batchAnswers(wire, { ...batch, ...(admission && { turn: admission.turn }) });
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
