import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Log } from '#observability/log';
import { earlyRequest } from '#transports/cli/early-requests';
import { createCatalogHost } from '#transports/mcp/catalog-host';
import type { McpHost } from '#transports/mcp/host';
import { type RpcRequest, readMessage } from '#transports/mcp/json-rpc';
import { createReporterHost } from '#transports/mcp/reporter-host';
import { serveStdio } from '#transports/mcp/stdio';
import { CLIENT_CAPABILITIES, PROTOCOL_VERSION, VERSION_2026, VERSIONS_2025 } from '#transports/mcp/versions';
import { openErrand } from './compose.ts';
import { openTasks } from './compose-tasks.ts';

interface EarlyNeeds {
  /** An empty folder for a database that is needed only meanwhile. */
  readonly folder: string;
  readonly version: string;
  readonly log: Log;
}

/** Results as JSON text, by key. */
type Answers = Readonly<Record<string, string>>;

const requests = (...bodies: readonly object[]): readonly RpcRequest[] =>
  bodies.map((body, id) => readMessage({ jsonrpc: '2.0', id, ...body }) as RpcRequest); // Each has an id and a method.

const _meta = { [PROTOCOL_VERSION]: VERSION_2026, [CLIENT_CAPABILITIES]: {} };
const clientInfo = { name: 'build', version: '1' };

/** What a client asks first, once for each revision. */
const CLIENTS: readonly (readonly RpcRequest[])[] = [
  ...[...VERSIONS_2025].map((protocolVersion) =>
    requests(
      { method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo } },
      { method: 'tools/list' },
    ),
  ),
  requests({ method: 'server/discover', params: { _meta } }, { method: 'tools/list', params: { _meta } }),
];

async function recordOne<Caller>(
  host: McpHost<Caller>,
  authenticate: () => Promise<Caller>,
  asked: readonly RpcRequest[],
): Promise<Answers> {
  const lines = asked.map(({ id, method, params }) => JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  const output = new PassThrough();
  const written = text(output);
  await serveStdio(host, { input: Readable.from([Buffer.from(`${lines.join('\n')}\n`)]), output, authenticate });
  output.end();
  const results = new Map((await written).trim().split('\n').map(resultOf));
  let version: string | null = null;
  const answers: Record<string, string> = {};
  for (const request of asked) {
    const early = earlyRequest(request, version);
    const result = results.get(Number(request.id));
    if (early === null || result === undefined) throw new Error(`No early answer to ${request.method}.`);
    version = early.version;
    answers[early.key] = result;
  }
  return answers;
}

async function record<Caller>(host: McpHost<Caller>, authenticate: () => Promise<Caller>): Promise<Answers> {
  const answers = await Promise.all(CLIENTS.map((asked) => recordOne(host, authenticate, asked)));
  return Object.assign({}, ...answers);
}

/** The result exactly as the program writes it. */
function resultOf(line: string): readonly [id: number, result: string] {
  const [, id, result] = /^\{"jsonrpc":"2\.0","id":(\d+),"result":(.*)\}$/.exec(line) ?? [];
  if (id === undefined || result === undefined) throw new Error(`No result: ${line.slice(0, 200)}`);
  return [Number(id), result];
}

/** What `errand mcp` answers the owner of a machine first, by profile and key: the build keeps it as files. */
export async function recordEarlyAnswers({
  folder,
  version,
  log,
}: EarlyNeeds): Promise<Readonly<Record<string, Answers>>> {
  const database = { kind: 'sqlite', path: `${folder}/errand.db` } as const;
  const errand = await openErrand({ database, plane: null, allow_anonymous: false }, log);
  const { gateway } = errand;
  const tasks = await openTasks({ ...errand, store: { kind: 'memory' }, log });
  const noManager = () => () => {
    throw new Error('Nothing is reported here.');
  };
  try {
    const recorded: Record<string, Answers> = {};
    const reporter = createReporterHost({ managersFor: noManager, version, observe: () => undefined });
    recorded.executions = await record(reporter, async () => null);
    for (const profile of ['all', 'todo', 'tasker', 'board'] as const) {
      const host = createCatalogHost({ gateway, profile, transport: 'mcp-stdio', version, tasks });
      recorded[profile] = await record(host, gateway.local);
    }
    return recorded;
  } finally {
    await tasks.tasks.close();
    await errand.close();
  }
}
