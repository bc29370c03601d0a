import type { IncomingMessage, ServerResponse } from 'node:http';
import { ErrandError } from '#errors';
import type { Gateway } from '#gateway/gateway';
import type { Failure } from '#gateway/outcome';
import type { Tool } from '#tools/catalog';
import { reportFailure } from '#tools/envelope';
import { headersOf, sendJson, sendText } from '#transports/answer';
import type { Authenticate } from '#transports/bearer';
import { createCallTool } from './call-tool.ts';
import { hasBody } from './input.ts';
import { createRoutes, type Place } from './task-manager-routes.ts';

const ROOT = '/api';
const HEALTH = 'GET /health';
/** What the tool for it answers. */
const HEALTHY = { status: 'healthy', client: 'in_process' } as const;
const NO_QUERY = new URLSearchParams();
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' } as const;

interface TaskManagerParts {
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
  const callTool = createCallTool({ tools, gateway, authenticate });

  async function call(req: IncomingMessage, res: ServerResponse, tool: Tool, params: Place['params']): Promise<void> {
    const outcome = await callTool(req, { tool, params, query: queryOf(req.url ?? ''), has_body: hasBody(tool) });
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
