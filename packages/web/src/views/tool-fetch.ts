/** Where a tool is in the REST API, and which of its fields are no texts: made from the catalogue when the views are built. */
export interface ToolRoute {
  readonly tool: string;
  readonly method: string;
  /** `/api/v1/board/tasks/{task_id}` */
  readonly path: string;
  readonly kinds: Readonly<Record<string, 'number' | 'boolean' | 'array' | 'object'>>;
}

export interface ToolResult {
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}

export type CallTool = (name: string, args: Readonly<Record<string, unknown>>) => Promise<ToolResult>;

/** The status with which the REST API answers an error, as far as pages tell them apart. */
const STATUS: Readonly<Record<string, number>> = {
  not_found: 404,
  project_not_granted: 404,
  insufficient_scope: 403,
  conflict: 409,
};

const BAD_REQUEST = 400;
const FORBIDDEN = 403;
const TRY_AGAIN = 503;

interface Known extends ToolRoute {
  readonly names: readonly string[];
  readonly pattern: RegExp;
}

function known(route: ToolRoute): Known {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const pattern = new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')}$`);
  return { ...route, names, pattern };
}

function readOf(texts: readonly string[], kind: ToolRoute['kinds'][string] | undefined): unknown {
  const [text = ''] = texts;
  switch (kind) {
    case 'array':
      return texts;
    case 'number':
      return Number(text);
    case 'boolean':
      return text === 'true';
    case 'object':
      return JSON.parse(text);
    default:
      return text;
  }
}

const fieldsOf = (query: URLSearchParams, { kinds }: ToolRoute): Record<string, unknown> =>
  Object.fromEntries([...new Set(query.keys())].map((name) => [name, readOf(query.getAll(name), kinds[name])]));

const answer = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

const refused = (status: number, message: string): Response =>
  answer(status, { error: { code: 'refused', message, retryable: false, correlation_id: '' } });

interface Failure {
  readonly code?: unknown;
  readonly retryable?: unknown;
}

function statusOf(body: unknown): number {
  const { error }: { readonly error?: Failure } = Object(body);
  if (error?.retryable === true) return TRY_AGAIN;
  return STATUS[String(error?.code).toLowerCase()] ?? BAD_REQUEST;
}

/** The requests of the generated client, made as calls of tools: a view reaches the server through its host alone. */
export function createToolFetch(routes: readonly ToolRoute[], callTool: CallTool): typeof fetch {
  const all = routes.map(known);
  return async (input, init = {}) => {
    const { pathname, searchParams } = new URL(String(input), 'http://errand.invalid');
    const method = init.method ?? 'GET';
    const route = all.find((each) => each.method === method && each.pattern.test(pathname));
    if (route === undefined) return refused(FORBIDDEN, 'This is not there in a chat. The web board has it.');
    const [, ...parts] = route.pattern.exec(pathname) ?? [];
    const inPath = Object.fromEntries(route.names.map((name, at) => [name, decodeURIComponent(parts[at] ?? '')]));
    const given = typeof init.body === 'string' ? JSON.parse(init.body) : fieldsOf(searchParams, route);
    try {
      const { structuredContent, isError } = await callTool(route.tool, { ...given, ...inPath });
      return answer(isError === true ? statusOf(structuredContent) : 200, structuredContent);
    } catch (error) {
      return refused(FORBIDDEN, error instanceof Error ? error.message : String(error));
    }
  };
}
