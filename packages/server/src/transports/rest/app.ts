import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ErrandError } from '#errors';
import type { Gateway } from '#gateway/gateway';
import type { Failure } from '#gateway/outcome';
import type { Tool } from '#tools/catalog';
import { answerText, failureBody } from '#tools/envelope';
import type { ProfileName } from '#tools/profiles';
import { failureOf, headersOf, type Report, SECURITY_HEADERS } from '#transports/answer';
import type { Authenticate } from '#transports/bearer';
import { originOf } from '#transports/origin';
import { requestIdOf } from '#transports/request-id';
import { createCallTool } from './call-tool.ts';
import { hasBody } from './input.ts';
import { openApi } from './openapi.ts';
import { createSetup } from './setup.ts';

type RestContext = Context<{ Bindings: HttpBindings }>;

export interface RestParts {
  readonly tools: readonly Tool[];
  readonly gateway: Gateway;
  readonly authenticate: Authenticate;
  /** What `/mcp` itself serves. */
  readonly profile: ProfileName | 'all';
  readonly version: string;
  readonly report: Report;
}

const JSON_HEADERS = { ...SECURITY_HEADERS, 'content-type': 'application/json; charset=utf-8' };

const pathOf = (tool: Tool): string => `/api/v1${tool.route.replace(/^\w+ /, '').replaceAll(/\{(\w+)\}/g, ':$1')}`;
const methodOf = (tool: Tool): string => tool.route.split(' ')[0] ?? 'GET';

function answerFailure(c: RestContext, failure: Failure, body: object = { error: failure.error }): Response {
  // The table of errors holds only statuses that come with a body.
  const status = failure.status as ContentfulStatusCode;
  return c.body(JSON.stringify(body), status, { ...JSON_HEADERS, ...headersOf(failure) });
}

/** By its full name, or by its plain one where only one tool has it. */
function findTool(tools: readonly Tool[], name: string): Tool {
  const exact = tools.find(({ full_name }) => full_name === name);
  const [plain, ...others] = tools.filter((tool) => tool.name === name);
  if (exact !== undefined) return exact;
  if (plain !== undefined && others.length === 0) return plain;
  throw new ErrandError(
    'unknown_tool',
    `There is no tool ${JSON.stringify(name)}. GET /openapi.json lists all of them.`,
  );
}

/** Serves every tool at its route. A new tool is a new endpoint; nothing here changes. */
export function createRestApp({
  tools,
  gateway,
  authenticate,
  profile,
  version,
  report,
}: RestParts): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const callTool = createCallTool({ tools, gateway, authenticate });

  async function call(
    c: RestContext,
    tool: Tool,
    params: Record<string, string>,
    has_body: boolean,
  ): Promise<Response> {
    const query = new URL(c.req.url).searchParams;
    const outcome = await callTool(c.env.incoming, { tool, params, query, has_body });
    if (!outcome.ok) return answerFailure(c, outcome, failureBody(tool, outcome.error, outcome.status));
    return c.body(answerText(tool, outcome.json), tool.effect === 'create' ? 201 : 200, JSON_HEADERS);
  }

  for (const tool of tools) {
    app.on(methodOf(tool), pathOf(tool), (c) => call(c, tool, c.req.param(), hasBody(tool)));
  }
  app.post('/api/v1/tools/:tool', (c) => call(c, findTool(tools, c.req.param('tool')), {}, true));

  const setupFor = createSetup({ tools, gateway, profile });
  app.get('/api/v1/agent-session/setup', async (c) => {
    const caller = await authenticate(c.env.incoming);
    return c.body(JSON.stringify(setupFor(caller, originOf(c))), 200, JSON_HEADERS);
  });

  const document = JSON.stringify(openApi(tools, version));
  app.get('/openapi.json', (c) => c.body(document, 200, JSON_HEADERS));

  // After all of the above: here a path is known and only its method is not.
  const allowed = Map.groupBy(tools, pathOf);
  for (const [path, sharing] of allowed) refuseOtherMethods(path, sharing.map(methodOf));
  refuseOtherMethods('/api/v1/tools/:tool', ['POST']);
  refuseOtherMethods('/api/v1/agent-session/setup', ['GET']);
  refuseOtherMethods('/openapi.json', ['GET']);

  function refuseOtherMethods(path: string, methods: readonly string[]): void {
    app.all(path, (c) => {
      const allow = methods.join(', ');
      throw new ErrandError('method_not_allowed', `${c.req.path} takes ${allow}.`, { details: { allow } });
    });
  }

  app.notFound((c) => {
    const error = new ErrandError(
      'not_found',
      `There is nothing at ${c.req.path}. GET /openapi.json lists what there is.`,
    );
    return answerFailure(c, failureOf(error, report, requestIdOf(c.env.incoming)));
  });
  app.onError((error, c) => answerFailure(c, failureOf(error, report, requestIdOf(c.env.incoming))));

  return app;
}
