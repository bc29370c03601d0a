import { expect } from 'vitest';
import type { Arguments } from '../client.ts';
import { mcpPost } from '../drivers/mcp-http.ts';
import { initialize, type Revision, type Rpc, rpc } from '../drivers/mcp-messages.ts';
import { resultOf } from '../drivers/mcp-wire.ts';
import { bearer, type Received, send, sendJson } from '../http.ts';
import { type Place, placeFlags } from '../program.ts';
import { managerAt } from './manager-at.ts';
import { envelopeOf, type Fields, mcpReporter, Refused, type Reporter, type ReportTool, TOOLS } from './report.ts';
import { stdioReporter } from './stdio-reporter.ts';

/** The carrier of a report to its store. */
export type Carrier = 'HTTP client' | 'mock client' | 'in-process client' | 'server' | 'REST' | 'Task Manager API';

export interface Way {
  readonly name: string;
  readonly carrier: Carrier;
  readonly connect: (site: Site, token: string) => Promise<Reporter>;
}

interface Site {
  readonly origin: string;
  readonly place: Place;
}

export const EXECUTIONS = ['--profile', 'executions'];

const overHttpClient = (revision: Revision): Way => ({
  name: `MCP ${revision} over stdio, HTTP client`,
  carrier: 'HTTP client',
  connect: ({ origin }, token) => stdioReporter({ revision, args: EXECUTIONS, env: managerAt(origin, token) }),
});

const overMockClient = (revision: Revision): Way => ({
  name: `MCP ${revision} over stdio, mock client`,
  carrier: 'mock client',
  connect: () => stdioReporter({ revision, args: EXECUTIONS, env: { USE_MOCK_CLIENT: 'true' } }),
});

const overInProcessClient = (revision: Revision): Way => ({
  name: `MCP ${revision} over stdio, in-process client`,
  carrier: 'in-process client',
  connect: ({ place }, token) =>
    stdioReporter({ revision, args: ['--profile', 'all', ...placeFlags(place)], env: { ERRAND_TOKEN: token } }),
});

const overMcp = (revision: Revision, path: string): Way => ({
  name: `MCP ${revision} at ${path}`,
  carrier: 'server',
  connect: async ({ origin }, token) => {
    let last = 0;
    const send = async (message: Rpc): Promise<Fields | Refused> => {
      const { status, text } = await mcpPost(origin, path, token, revision, message);
      if (status === 401) return new Refused(JSON.parse(text).error);
      expect(status, text).toBe(200);
      return resultOf(revision, message, text);
    };
    if (revision !== '2026-07-28') await send(initialize(revision, ++last));
    return mcpReporter(
      (method, params) => send(rpc(revision, ++last, method, params)),
      async () => {},
    );
  },
});

const NOTHING_LISTED: Pick<Reporter, 'list' | typeof Symbol.asyncDispose> = {
  list: async () => [],
  [Symbol.asyncDispose]: async () => {},
};

const okStatus = (tool: ReportTool): number => (tool === 'create_step' ? 201 : 200);

/** Every tool by its name. */
const overRest: Way = {
  name: 'REST by tool name',
  carrier: 'REST',
  connect: async ({ origin }, token) => ({
    ...NOTHING_LISTED,
    call: async (tool, args) => {
      const { status, text } = await sendJson(origin, `/api/v1/tools/${tool}`, token, args);
      const body = JSON.parse(text);
      if (status === 401) return new Refused(body.error).report;
      const report = envelopeOf(body);
      expect(status, text).toBe(report.success ? okStatus(tool) : report.status_code);
      return report;
    },
  }),
};

/** Sends one request of the Task Manager API. Fields that are not in the URL go into the body. */
export function callManager(origin: string, token: string, route: string, args: Arguments): Promise<Received> {
  const [method = '', path = ''] = route.split(' ');
  const rest = new Map(Object.entries(args));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, field: string) => {
    const value = rest.get(field);
    rest.delete(field);
    return encodeURIComponent(String(value));
  });
  if (method === 'GET') return send(origin, { method, path: filled, headers: bearer(token) });
  return sendJson(origin, filled, token, Object.fromEntries(rest), method);
}

/** The API that the reporter's client uses: bodies without the envelope. */
const overApi: Way = {
  name: 'Task Manager API',
  carrier: 'Task Manager API',
  connect: async ({ origin }, token) => ({
    ...NOTHING_LISTED,
    call: async (tool, args) => {
      const { status, text } = await callManager(origin, token, TOOLS[tool], args);
      const body = JSON.parse(text);
      if (status >= 400) return envelopeOf({ success: false, ...body, status_code: status });
      expect(status, text).toBe(okStatus(tool));
      return { success: true, data: body };
    },
  }),
};

export const OLD = '2025-11-25';
export const NEW = '2026-07-28';

/** The transports that need no process of their own. */
const SERVED: readonly Way[] = [
  overMcp(OLD, '/mcp/executions'),
  overMcp(NEW, '/mcp/executions'),
  overMcp(OLD, '/mcp'),
  overMcp(NEW, '/mcp'),
  overRest,
  overApi,
];

/** All transports, with each client of the reporter. */
export const WAYS: readonly Way[] = [overHttpClient(NEW), overMockClient(NEW), overInProcessClient(NEW), ...SERVED];

/** Stdio in older revisions, which differ only in the envelope of messages. */
export const ELDER_WAYS: readonly Way[] = [
  overHttpClient('2025-06-18'),
  overHttpClient(OLD),
  overMockClient(OLD),
  overInProcessClient(OLD),
];

/** The transports that differ in authentication or storage: the HTTP client only passes the API's answers on. */
export const STORED: readonly Way[] = [overInProcessClient(NEW), ...SERVED];
/** One transport per carrier, for differences between databases. */
export const STORED_ONCE: readonly Way[] = [overMcp(NEW, '/mcp/executions'), overRest, overApi];
