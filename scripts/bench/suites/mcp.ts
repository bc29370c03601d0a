import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stderr } from 'node:process';
import { promisify } from 'node:util';
import { mcpHeaders, rpc } from '../../../test/e2e/drivers/mcp-messages.ts';
import { send } from '../../../test/e2e/http.ts';
import { temporaryFolder } from '../../../test/e2e/program.ts';
import { startChild } from '../child.ts';
import { type Burst, fire, type Shot } from '../load.ts';
import { mustAnswer } from '../must-answer.ts';
import { type Finding, milliseconds, perSecond, type Section } from '../report.ts';
import { compete, median, ratio } from '../rounds.ts';
import type { Suite } from '../suite.ts';

const run = promisify(execFile);
const CONNECTIONS = 32;
const FASTMCP = 'fastmcp@4';
const ARGUMENTS = { a: 2, b: 3 };
const STRUCTURED = { sum: 5 };

const shotOf = (revision: '2025-11-25' | '2026-07-28'): Omit<Shot, 'url'> => {
  const message = rpc(revision, 1, 'tools/call', { name: 'add', arguments: ARGUMENTS });
  return { headers: mcpHeaders(revision, '', message), body: JSON.stringify(message) };
};

/** Installs the compared packages, which are not part of this repository. Returns false without a registry. */
async function install(folder: string): Promise<boolean> {
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', FASTMCP];
  return await run('npm', args, { cwd: folder }).then(
    () => true,
    () => false,
  );
}

/** Compares the README's tool on this library with the same tool on others, and with a server without a protocol. */
export const mcp: Suite = async ({ effort, wrk }): Promise<Section> => {
  await using folder = await temporaryFolder();
  await using children = new AsyncDisposableStack();
  const start = async (script: string, ...args: readonly string[]): Promise<string> =>
    children.use(await startChild<{ readonly url: string }>(script, ...args)).message.url;

  const ours = await start('mcp-ours.ts');
  const modern: Shot = { ...shotOf('2026-07-28'), url: ours };
  const legacy: Shot = { ...shotOf('2025-11-25'), url: ours };
  // The bare server reads the same request and writes the same bytes.
  const startRaw = async (shot: Shot): Promise<Shot> => ({
    ...shot,
    url: await start('raw-http.ts', JSON.stringify(await resultOf(shot))),
  });
  const shots: Record<string, Shot> = {
    modern,
    'raw-modern': await startRaw(modern),
    legacy,
    'raw-legacy': await startRaw(legacy),
    sdk: { ...modern, url: await start('mcp-sdk-2.ts') },
  };
  const hasFastmcp = await install(folder.path);
  if (hasFastmcp) shots.fastmcp = { ...legacy, url: await start('mcp-fastmcp.ts', folder.path) };
  else stderr.write(`${FASTMCP} could not be installed: it is left out.\n`);

  for (const [name, shot] of Object.entries(shots)) await mustAnswer(name, shot, { structuredContent: STRUCTURED });
  const contestants = Object.entries(shots).map(([name, shot]) => ({
    name,
    run: (seconds: number) => fire(shot, { connections: CONNECTIONS, seconds }, wrk),
  }));
  return report(await compete<Burst>(contestants, effort));
};

async function resultOf({ url, headers, body }: Shot): Promise<unknown> {
  const { origin, pathname } = new URL(url);
  const { text } = await send(origin, { path: pathname, headers, body });
  return (JSON.parse(text) as { readonly result: unknown }).result;
}

function report(figures: ReadonlyMap<string, readonly Burst[]>): Section {
  const bursts = (name: string): readonly Burst[] => figures.get(name) ?? [];
  const speeds = (name: string): readonly number[] => bursts(name).map(({ requests, seconds }) => requests / seconds);
  const failed = [...figures.values()].flat().reduce((sum, burst) => sum + burst.failed, 0);
  if (failed > 0) throw new Error(`${failed} requests failed.`);

  const against = (name: string, other: string, label: string, least: number): Finding => {
    const measured = ratio(speeds(name), speeds(other));
    const p99 = median(bursts(name).map(({ p99_ms }) => p99_ms));
    return {
      subject: `@errand/mcp, ${name === 'modern' ? '2026-07-28' : '2025-11-25'}`,
      figure: `${perSecond(median(speeds(name)))}, p99 ${milliseconds(p99)}`,
      against: `${label}: ${perSecond(median(speeds(other)))}`,
      ratio: measured,
      target: `≥ ${least} ×`,
      met: measured >= least,
    };
  };
  return {
    title: 'The library: `@errand/mcp`',
    how: `One tool, \`add\`, with the same zod schemas of input and output, over HTTP with ${CONNECTIONS} connections; no tokens, no sessions. The bare server gets the same requests, parses them and writes the same bytes, and checks nothing.`,
    findings: [
      against('modern', 'raw-modern', 'raw `node:http`', 0.6),
      against('legacy', 'raw-legacy', 'raw `node:http`', 0.6),
      against('modern', 'sdk', 'SDK 2.4 `createMcpHandler`', 8),
      ...(figures.has('fastmcp') ? [against('legacy', 'fastmcp', 'fastmcp 4, stateless', 8)] : []),
    ],
  };
}
