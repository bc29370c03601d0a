import type { ServerResponse } from 'node:http';
import { ErrandError } from '#errors';
import { sendJson, sendText } from './answer.ts';

const READY_FOR_MS = 1_000;
const METHODS = 'GET, HEAD';

/** These endpoints are only read. */
function assertRead(path: string, { req: { method } }: ServerResponse): void {
  if (method === 'GET' || method === 'HEAD') return;
  throw new ErrandError('method_not_allowed', `${path} takes ${METHODS}.`, { details: { allow: METHODS } });
}

interface OperationParts {
  readonly metrics: () => string;
  /** Rejects when calls cannot be served now. */
  readonly checkReady: () => Promise<void>;
}

/** The endpoints for operators: whether the server is alive, whether it is ready, and its metrics. */
export function createOperation(parts: OperationParts) {
  let isDraining = false;

  // The check writes, and anyone may ask: requests during a check, or within a second after it, share its result.
  let checked: Promise<void> | null = null;
  const forget = (): void => {
    checked = null;
  };
  function checkReady(): Promise<void> {
    checked ??= parts.checkReady().finally(() => setTimeout(forget, READY_FOR_MS).unref());
    return checked;
  }

  async function answerReady(res: ServerResponse): Promise<void> {
    if (isDraining) return sendJson(res, 503, { status: 'draining' });
    try {
      await checkReady();
      sendJson(res, 200, { status: 'ready' });
    } catch {
      sendJson(res, 503, { status: 'not_ready' }, { 'retry-after': '1' });
    }
  }

  return {
    /** Whether the path is a probe: probes are answered even when all places are taken. */
    isProbe: (path: string): boolean => path === '/healthz' || path === '/readyz',
    answerProbe: (path: string, res: ServerResponse): void | Promise<void> => {
      assertRead(path, res);
      return path === '/healthz' ? sendJson(res, 200, { status: 'ok' }) : answerReady(res);
    },
    answerMetrics: (path: string, res: ServerResponse): void => {
      assertRead(path, res);
      sendText(res, 200, parts.metrics(), { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    },
    /** Rejects while reports are refused: a server that stops may not be able to answer them. */
    checkReports: (): Promise<void> => (isDraining ? Promise.reject(new Error('draining')) : checkReady()),
    drain: (): void => {
      isDraining = true;
    },
  };
}
