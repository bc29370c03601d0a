import { mcpHeaders, rpc } from '../../../test/e2e/drivers/mcp-messages.ts';
import { send } from '../../../test/e2e/http.ts';
import { temporaryFolder } from '../../../test/e2e/program.ts';
import { startChild } from '../child.ts';
import { startErrand } from '../errand.ts';
import { type Burst, fire, type Shot } from '../load.ts';
import { type Finding, milliseconds, perSecond, type Section } from '../report.ts';
import { compete, median, ratio } from '../rounds.ts';
import type { Suite } from '../suite.ts';

const CONNECTIONS = 32;

type Result = Readonly<Record<string, unknown>>;

async function ask({ url, headers, body }: Shot): Promise<{ readonly result: Result; readonly session: string }> {
  const { origin, pathname } = new URL(url);
  const said = await send(origin, { path: pathname, headers, body });
  const { result } = JSON.parse(said.text) as { result?: Result };
  if (result === undefined) throw new Error(`${url}: ${said.text}`);
  return { result, session: String(said.headers['mcp-session-id'] ?? '') };
}

const shotOf = (url: string, headers: Readonly<Record<string, string>>, message: object): Shot => ({
  url,
  headers,
  body: JSON.stringify(message),
});

/** Creates a task on the SDK's server, and returns the request that reads it. */
async function sdkShot(url: string): Promise<Shot> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  };
  const clientInfo = { name: 'bench', version: '1' };
  const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const { session } = await ask(shotOf(url, headers, rpc('2025-11-25', 1, 'initialize', initialize)));
  const known = { ...headers, 'mcp-session-id': session };
  const call = rpc('2025-11-25', 2, 'tools/call', { name: 'render', arguments: {}, task: { ttl: 3_600_000 } });
  const { result } = await ask(shotOf(url, known, call));
  const { taskId } = result.task as { taskId: string };
  return shotOf(url, known, rpc('2025-11-25', 1, 'tasks/get', { taskId }));
}

/** Measures polling: `tasks/get` through all of Errand, beside servers that do less. */
export const tasksGet: Suite = async ({ effort, wrk }): Promise<Section> => {
  await using folder = await temporaryFolder();
  await using errand = await startErrand({ data: folder.path });
  const { user_id, token } = errand;
  const { url } = errand.shot('2025-11-25', 'add_task', {});
  const call = rpc('2025-11-25', 1, 'tools/call', {
    name: 'add_task',
    arguments: { user_id, title: 'Buy groceries' },
    task: { ttl: 3_600_000 },
  });
  const created = await ask(shotOf(url, mcpHeaders('2025-11-25', token, call), call));
  const { taskId } = created.result.task as { taskId: string };

  const end = rpc('2025-11-25', 1, 'tasks/result', { taskId });
  await ask(shotOf(url, { ...mcpHeaders('2025-11-25', token, end), accept: 'application/json' }, end));

  const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  const legacyMessage = rpc('2025-11-25', 1, 'tasks/get', { taskId });
  const modernMessage = rpc('2026-07-28', 1, 'tasks/get', { taskId }, capabilities);
  const legacy = shotOf(url, mcpHeaders('2025-11-25', token, legacyMessage), legacyMessage);
  const modern = shotOf(url, mcpHeaders('2026-07-28', token, modernMessage), modernMessage);
  const { result } = await ask(modern);
  if (result.status !== 'completed') throw new Error(`The task is ${result.status}.`);

  await using raw = await startChild<{ url: string }>('raw-http.ts', JSON.stringify(result));
  await using sdk = await startChild<{ url: string }>('sdk-1-tasks.ts');
  const shots: Readonly<Record<string, Shot>> = {
    raw: { ...modern, url: raw.message.url },
    modern,
    legacy,
    sdk: await sdkShot(sdk.message.url),
  };
  for (const shot of Object.values(shots)) await ask(shot);
  const figures = await compete<Burst>(
    Object.entries(shots).map(([name, shot]) => ({
      name,
      run: (seconds: number) => fire(shot, { connections: CONNECTIONS, seconds }, wrk),
    })),
    effort,
  );
  const failed = [...figures.values()].flat().reduce((sum, burst) => sum + burst.failed, 0);
  if (failed > 0) throw new Error(`${failed} requests failed.`);

  const speeds = (name: string) => (figures.get(name) ?? []).map(({ requests, seconds }) => requests / seconds);
  const p99 = (name: string) => median((figures.get(name) ?? []).map(({ p99_ms }) => p99_ms));
  const against = (subject: string, name: string, other: string, label: string, least: number): Finding => {
    const measured = ratio(speeds(name), speeds(other));
    return {
      subject,
      figure: `${perSecond(median(speeds(name)))}, p99 ${milliseconds(p99(name))}`,
      against: `${label}: ${perSecond(median(speeds(other)))}`,
      ratio: measured,
      target: `≥ ${least} ×`,
      met: measured >= least,
    };
  };
  return {
    title: 'Tasks: `tasks/get` over HTTP',
    how: `One task in SQLite, ${CONNECTIONS} connections, token and owner checked in every call, the result inlined in 2026-07-28. The raw server has the same answer in memory; that of the SDK has its tasks in memory, in one session for all, and checks no token.`,
    findings: [
      against('Errand, 2026-07-28', 'modern', 'raw', 'raw `node:http`', 0.5),
      against('Errand, 2025-11-25', 'legacy', 'raw', 'raw `node:http`', 0.5),
      against('Errand, 2025-11-25', 'legacy', 'sdk', 'SDK 1.32 with its tasks in memory', 5),
    ],
  };
};
