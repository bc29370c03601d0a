import type { IncomingMessage, ServerResponse } from 'node:http';
import { ErrandError } from '#errors';
import type { Gateway } from '#gateway/gateway';
import type { Failure } from '#gateway/outcome';
import type { Tool } from '#tools/catalog';
import { answerText, failureBody, reportFailure } from '#tools/envelope';
import { headersOf, JSON_TYPE, sendJson, sendText } from '#transports/answer';
import type { Authenticate } from '#transports/bearer';
import { VERSION_HEADER, WORDING_HEADER, wordingIn } from '#transports/cli/wording';
import { createCallTool } from './call-tool.ts';
import { hasBody } from './input.ts';
import type { Endpoint, Params } from './routes.ts';

/** What the listener passes on about a request. */
export interface RestRequest {
  readonly path: string;
  /** Frees the place of the request among the running ones. */
  readonly leavePlace: () => void;
  /** Rejects while calls cannot be served. */
  readonly checkReady: () => Promise<void>;
}

type Answer = (
  req: IncomingMessage,
  res: ServerResponse,
  request: RestRequest & { readonly params: Params },
) => Promise<void>;

export type RestEndpoint = Endpoint<Answer>;

/** The root of every tool. */
export const API = '/api/v1';
/** The root of the tools that report runs, as in the Task Manager API. */
export const REPORTS = '/api';

export const isReportTool = ({ profile }: Pick<Tool, 'profile'>): boolean => profile === 'executions';

/** How calls below one root are answered. */
interface Form {
  readonly answer: (tool: Tool, json: string, messages?: string) => string;
  /** Whether answers have room for messages to the agent that calls. */
  readonly carries: boolean;
  readonly failure: (tool: Tool, failure: Failure) => object;
}

const API_FORM: Form = {
  answer: answerText,
  carries: true,
  failure: (tool, { error, status }) => failureBody(tool, error, status),
};
/** The command line of another machine prints the answer itself. */
const PLAIN_FORM: Form = { answer: (_, json) => json, carries: false, failure: (_, { error }) => ({ error }) };
const REPORTS_FORM: Form = {
  answer: (_, json) => json,
  carries: false,
  failure: (_, { error }) => reportFailure(error),
};

const HEALTH = 'GET /health';
const HEALTHY = { status: 'healthy', client: 'in_process' } as const;
const NO_QUERY = new URLSearchParams();

const queryOf = ({ url = '' }: IncomingMessage): URLSearchParams => {
  const start = url.indexOf('?');
  return start === -1 ? NO_QUERY : new URLSearchParams(url.slice(start + 1));
};

/** Finds a tool by its full name, or by its short name when only one tool has it. */
function findTool(tools: readonly Tool[], name = ''): Tool {
  const exact = tools.find(({ full_name }) => full_name === name);
  const [plain, ...others] = tools.filter((tool) => tool.name === name);
  if (exact !== undefined) return exact;
  if (plain !== undefined && others.length === 0) return plain;
  throw new ErrandError(
    'unknown_tool',
    `There is no tool ${JSON.stringify(name)}. GET /openapi.json lists all of them.`,
  );
}

/** Answers a caller without a token with whether reports are accepted, and nothing else. */
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

interface Needs {
  readonly tools: readonly Tool[];
  readonly gateway: Pick<Gateway, 'dispatch' | 'visible'>;
  readonly authenticate: Authenticate;
  readonly version: string;
}

/** The endpoints of every tool: at its route, and by its name. A new tool needs no change here. */
export function createToolEndpoints({ tools, gateway, authenticate, version }: Needs): readonly RestEndpoint[] {
  const callTool = createCallTool({ gateway, authenticate });

  const call =
    (tool: Tool, form: Form, has_body = hasBody(tool)): Answer =>
    async (req, res, { params }) => {
      const wording = wordingIn(req.headers[WORDING_HEADER]);
      const { answer, carries, failure } = wording === null ? form : PLAIN_FORM;
      const outcome = await callTool(req, { tool, params, query: queryOf(req), has_body, wording, carries });
      const status = tool.effect === 'create' ? 201 : 200;
      if (outcome.ok) sendText(res, status, answer(tool, outcome.json, outcome.messages), JSON_TYPE);
      else sendJson(res, outcome.status, failure(tool, outcome), headersOf(outcome));
    };

  const endpointOf = (root: string, tool: Tool, answer: Answer): RestEndpoint => {
    const [method = 'GET', path = '/'] = tool.route.split(' ');
    return { method, path: `${root}${path}`, answer };
  };

  const health =
    (withToken: Answer): Answer =>
    (req, res, request) =>
      req.headers.authorization === undefined ? answerHealth(res, request.checkReady) : withToken(req, res, request);

  function reporting(tool: Tool): RestEndpoint {
    const answer = call(tool, REPORTS_FORM);
    return endpointOf(REPORTS, tool, tool.route === HEALTH ? health(answer) : answer);
  }

  const byName: Answer = (req, res, { params, ...request }) => {
    // Before the tool is looked for: an older server lacks some.
    if (wordingIn(req.headers[WORDING_HEADER]) !== null) res.setHeader(VERSION_HEADER, version);
    return call(findTool(tools, params.tool), API_FORM, true)(req, res, { ...request, params: {} });
  };

  return [
    ...tools.map((tool) => endpointOf(API, tool, call(tool, API_FORM))),
    { method: 'POST', path: `${API}/tools/{tool}`, answer: byName },
    ...tools.filter(isReportTool).map(reporting),
  ];
}
