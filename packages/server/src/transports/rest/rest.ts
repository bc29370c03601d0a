import type { IncomingMessage, ServerResponse } from 'node:http';
import { ErrandError } from '#errors';
import type { Gateway } from '#gateway/gateway';
import type { Failure } from '#gateway/outcome';
import type { Tool } from '#tools/catalog';
import { reportFailure } from '#tools/envelope';
import type { ProfileName } from '#tools/profiles';
import { headersOf, JSON_TYPE, sendFailure, sendJson, sendText } from '#transports/answer';
import type { Authenticate } from '#transports/bearer';
import type { EventStreams } from '#transports/events/streams';
import { requestOrigin } from '#transports/origin';
import { openApi } from './openapi.ts';
import { createRoutes } from './routes.ts';
import { asAgentWith, createSetup } from './setup.ts';
import {
  API,
  createToolEndpoints,
  isReportTool,
  REPORTS,
  type RestEndpoint,
  type RestRequest,
} from './tool-endpoints.ts';

const DOCUMENT = '/openapi.json';

export interface RestParts {
  readonly tools: readonly Tool[];
  readonly gateway: Pick<Gateway, 'dispatch' | 'visible' | 'asAgent'>;
  readonly authenticate: Authenticate;
  /** The profile of `/mcp` itself. */
  readonly profile: ProfileName | 'all';
  readonly version: string;
  readonly events: Pick<EventStreams, 'handle'>;
}

export interface Rest {
  readonly endpoints: readonly Pick<RestEndpoint, 'method' | 'path'>[];
  /** Answers a request, or throws the error for `fail`. Null when the path is not part of the API. */
  readonly answer: (req: IncomingMessage, res: ServerResponse, request: RestRequest) => Promise<void> | null;
  /** Answers with a failure, in the form of the API of this path. */
  readonly fail: (res: ServerResponse, failure: Failure, path: string) => void;
}

/** Returns the test whether a path belongs to the API for reports, including unknown paths below it. */
function createReportsTest(tools: readonly Tool[]): (path: string) => boolean {
  const roots = new Set(tools.filter(isReportTool).map(({ route }) => route.split(/ \/|\//)[1]));
  return (path) => path.startsWith(`${REPORTS}/`) && roots.has(path.split('/', 3)[2]);
}

const EVENTS = `${API}/events`;

/** The endpoints that are not tools. */
const createOwnEndpoints = ({ tools, gateway, authenticate, ...parts }: RestParts): readonly RestEndpoint[] => {
  const setupFor = createSetup({ gateway, profile: parts.profile });
  let document: string | undefined;
  return [
    {
      method: 'GET',
      path: `${API}/agent-session/setup`,
      answer: async (req, res) => {
        const caller = await authenticate(req);
        const asked = new URL(req.url ?? '/', 'http://localhost').searchParams;
        const agent_id = asked.get('agent_id');
        const seen = agent_id === null ? caller : await gateway.asAgent(caller, agent_id);
        sendJson(res, 200, setupFor(asAgentWith(seen, asked.get('scopes')), requestOrigin(req)));
      },
    },
    {
      method: 'GET',
      path: EVENTS,
      answer: (req, res, { leavePlace }) => parts.events.handle(req, res, leavePlace),
    },
    {
      method: 'GET',
      path: DOCUMENT,
      answer: async (_, res) => {
        // Made when it is first asked for: it takes longer than the rest of the start.
        document ??= JSON.stringify(openApi(tools, parts.version));
        sendText(res, 200, document, JSON_TYPE);
      },
    },
  ];
};

/** The REST API: one router for all tools at `/api/v1`, for the reporting tools at `/api`, and for the other endpoints. */
export function createRest(parts: RestParts): Rest {
  const endpoints = [...createToolEndpoints(parts), ...createOwnEndpoints(parts)];
  const find = createRoutes(endpoints);
  const isReport = createReportsTest(parts.tools);

  function answer(req: IncomingMessage, res: ServerResponse, request: RestRequest): Promise<void> | null {
    const { path } = request;
    if (!path.startsWith(`${REPORTS}/`) && !path.startsWith(DOCUMENT)) return null;
    const found = find(path);
    if (found === null) {
      if (!isReport(path)) return null;
      throw new ErrandError('not_found', `There is nothing at ${path}. GET /docs/swagger.yaml lists the paths.`);
    }
    const endpoint = found.at(req.method === 'HEAD' ? 'GET' : (req.method ?? ''));
    if (endpoint !== undefined) return endpoint.answer(req, res, { ...request, params: endpoint.params });
    // A stream has no end, so the events take no HEAD.
    const read = path.startsWith(EVENTS) ? 'GET' : 'GET, HEAD';
    const allow = found
      .methods()
      .map((method) => (method === 'GET' ? read : method))
      .join(', ');
    throw new ErrandError('method_not_allowed', `${path} takes ${allow}.`, { details: { allow } });
  }

  return {
    endpoints,
    answer,
    fail: (res, failure, path) => {
      if (isReport(path)) sendJson(res, failure.status, reportFailure(failure.error), headersOf(failure));
      else sendFailure(res, failure);
    },
  };
}
