import { expect } from 'vitest';
import type { WireError } from '../../../packages/server/src/gateway/gateway.ts';
import type { Answer, Arguments, Client, Driver, TodoTool } from '../client.ts';
import { bearer, type Received, send, sendJson } from '../http.ts';

/** Every tool by its name: `POST /api/v1/tools/{tool}`. */
export const restTools = (origin: string): Driver => ({
  name: 'REST by tool name',
  connect: async (token) =>
    clientOf(async (tool, args) => answerOf(tool, await sendJson(origin, `/api/v1/tools/todo_${tool}`, token, args))),
});

type Route = { readonly method: string; readonly path: string };

/** Every tool at the route that the server's own OpenAPI document gives it. */
export const restRoutes = (origin: string): Driver => ({
  name: 'REST by route',
  connect: async (token) => {
    const routes = await documentedRoutes(origin);
    return clientOf(async (tool, args) => {
      const route = routes.get(`todo_${tool}`);
      if (route === undefined) throw new Error(`No route for ${tool} in /openapi.json`);
      return answerOf(tool, await callRoute(origin, route, token, args));
    });
  },
});

const clientOf = (call: Client['call']): Client => ({ call, [Symbol.asyncDispose]: async () => {} });

async function documentedRoutes(origin: string): Promise<ReadonlyMap<string, Route>> {
  const { status, text } = await send(origin, { method: 'GET', path: '/openapi.json' });
  expect(status).toBe(200);
  const { servers, paths } = JSON.parse(text) as {
    servers: readonly { readonly url: string }[];
    paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
  };
  const base = servers[0]?.url ?? '';
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, { operationId = '' }]) => [operationId, { method: method.toUpperCase(), path: base + path }] as const,
    ),
  );
  return new Map(routes);
}

function callRoute(origin: string, { method, path }: Route, token: string, args: Arguments): Promise<Received> {
  const rest = new Map(Object.entries(args));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, field: string) => {
    const value = rest.get(field);
    rest.delete(field);
    return encodeURIComponent(String(value));
  });
  if (method !== 'GET' && method !== 'DELETE') return sendJson(origin, filled, token, Object.fromEntries(rest), method);
  const query = new URLSearchParams(Object.fromEntries([...rest].map(([name, value]) => [name, String(value)])));
  return send(origin, { method, path: `${filled}?${query}`, headers: bearer(token) });
}

const STATUS: Readonly<Record<string, number>> = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 403,
  insufficient_scope: 403,
  TASK_NOT_FOUND: 404,
  idempotency_key_conflict: 409,
  DATABASE_ERROR: 503,
};

function answerOf(tool: TodoTool, { status, headers, text }: Received): Answer {
  expect(headers['content-type']).toMatch(/^application\/json\b/);
  const body = JSON.parse(text) as Record<string, unknown>;
  if (status < 300) {
    expect(status).toBe(tool === 'add_task' ? 201 : 200);
    return { ok: true, value: body };
  }
  expect(Object.keys(body), text).toEqual(['error']);
  const error = body.error as WireError;
  expect(STATUS[error.code], text).toBe(status);
  return { ok: false, error };
}
