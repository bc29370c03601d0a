import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { McpHost } from '#host';
import { type RpcRequest, readMessage } from '#json-rpc';
import { serveStdio } from '#stdio/stdio';
import { CLIENT_CAPABILITIES, PROTOCOL_VERSION, VERSION_2026, VERSIONS_2025 } from '#versions';
import { earlyRequest } from './early-requests.ts';

/** Results as JSON text, by the key of the request. */
type Answers = Readonly<Record<string, string>>;

const requests = (...bodies: readonly object[]): readonly RpcRequest[] =>
  bodies.map((body, id) => readMessage({ jsonrpc: '2.0', id, ...body }) as RpcRequest); // Each has an id and a method.

const _meta = { [PROTOCOL_VERSION]: VERSION_2026, [CLIENT_CAPABILITIES]: {} };
const clientInfo = { name: 'recorder', version: '1' };

/** The first requests of a client, once per revision. */
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

/** Extracts the result exactly as the server writes it. */
function resultOf(line: string): readonly [id: number, result: string] {
  const [, id, result] = /^\{"jsonrpc":"2\.0","id":(\d+),"result":(.*)\}$/.exec(line) ?? [];
  if (id === undefined || result === undefined) throw new Error(`No result: ${line.slice(0, 200)}`);
  return [Number(id), result];
}

/** Records what `answerEarly` may answer for this host and caller, in every revision. */
export async function recordAnswers<Caller>(
  host: McpHost<Caller>,
  authenticate: () => Promise<Caller>,
): Promise<Answers> {
  const answers = await Promise.all(CLIENTS.map((asked) => recordOne(host, authenticate, asked)));
  return Object.assign({}, ...answers);
}
