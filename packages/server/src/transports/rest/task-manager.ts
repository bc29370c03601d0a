import type { IncomingMessage, ServerResponse } from 'node:http';
import { ErrandError } from '#errors';
import type { Gateway } from '#gateway/gateway';
import type { Failure } from '#gateway/outcome';
import type { Tool } from '#tools/catalog';
import { reportFailure } from '#tools/envelope';
import { correlationOf, headersOf, sendJson, sendText } from '#transports/answer';
import type { Authenticate } from '#transports/bearer';
import { hintsOf } from '#transports/hints';
import { createInputReader, hasBody, keyHeader, type ReadInput, readBody } from './input.ts';
import { createRoutes, type Place } from './task-manager-routes.ts';

const ROOT = '/api';
const HEALTH = 'GET /health';
/** What the tool for it answers. */
const HEALTHY = { status: 'healthy', client: 'in_process' } as const;
const NO_QUERY = new URLSearchParams();
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' } as const;

export interface TaskManagerParts {
  readonly tools: readonly Tool[];
  readonly gateway: Pick<Gateway, 'dispatch'>;
  readonly authenticate: Authenticate;
}

/** The API that agents report their runs to. */
export interface TaskManagerApi {
  /** Whether an address is one of this API, or would be if there were anything there. */
  readonly serves: (path: string) => boolean;
  /** Rejects with what `fail` answers. `checkReady` rejects when calls cannot be served now. */
  readonly handle: (req: IncomingMessage, res: ServerResponse, checkReady: () => Promise<void>) => Promise<void>;
  readonly fail: (res: ServerResponse, failure: Failure) => void;
}

const fail: TaskManagerApi['fail'] = (res, failure) =>
  sendJson(res, failure.status, reportFailure(failure.error), headersOf(failure));

const queryOf = (url: string): URLSearchParams => {
  const start = url.indexOf('?');
  return start === -1 ? NO_QUERY : new URLSearchParams(url.slice(start + 1));
};

function toolAt(place: Place | null, method: string, path: string): Tool {
  if (place === null) {
    throw new ErrandError('not_found', `There is nothing at ${path}. GET /docs/swagger.yaml lists the paths.`);
  }
  const tool = place.tools.get(method);
  if (tool !== undefined) return tool;
  const allow = [...place.tools.keys()].join(', ');
  throw new ErrandError('method_not_allowed', `${path} takes ${allow}.`, { details: { allow } });
}

/** Serves tools at their routes without a framework: whoever reports every step of a run calls nothing else. */
export function createTaskManagerApi({ tools, gateway, authenticate }: TaskManagerParts): TaskManagerApi {
  const find = createRoutes(tools);
  const roots = new Set(tools.map(({ route }) => route.split(/ \/|\//)[1]));
  const readers = new Map<Tool, ReadInput>(tools.map((tool) => [tool, createInputReader(tool)]));

  async function call(req: IncomingMessage, res: ServerResponse, tool: Tool, params: Place['params']): Promise<void> {
    const known = await authenticate(req);
    const isWhole = req.complete;
    const body = hasBody(tool) ? await readBody(req) : undefined;
    const input = readers.get(tool)?.({
      params,
      query: queryOf(req.url ?? ''),
      body,
      idempotency_key: keyHeader(req),
    });
    const outcome = await gateway.dispatch({
      // A body that comes later may come after its token was revoked.
      caller: isWhole ? known : await authenticate(req),
      tool,
      input,
      transport: 'rest',
      correlation_id: correlationOf(req.headers),
      hints: hintsOf(req.headers),
    });
    if (outcome.ok) sendText(res, tool.effect === 'create' ? 201 : 200, outcome.json, JSON_TYPE);
    else fail(res, outcome);
  }

  /** For whoever has no token: whether reports are taken, and nothing else. */
  async function answerHealth(res: ServerResponse, checkReady: () => Promise<void>): Promise<void> {
    try {
      await checkReady();
    } catch {
      throw new ErrandError('database_error', 'No reports are taken at the moment. Try again in a second.', {
        retry_after_ms: 1000,
      });
    }
    sendJson(res, 200, HEALTHY);
  }

  async function answer(req: IncomingMessage, res: ServerResponse, checkReady: () => Promise<void>): Promise<void> {
    const [path = ''] = (req.url ?? '').split('?', 1);
    const place = find(path.slice(ROOT.length));
    const tool = toolAt(place, req.method === 'HEAD' ? 'GET' : (req.method ?? ''), path);
    if (tool.route === HEALTH && req.headers.authorization === undefined) return answerHealth(res, checkReady);
    return call(req, res, tool, place?.params ?? {});
  }

  return {
    serves: (path) => path.startsWith(`${ROOT}/`) && roots.has(path.split('/', 3)[2]),
    handle: answer,
    fail,
  };
}
