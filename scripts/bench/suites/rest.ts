import { openSite } from '../../../test/e2e/board-durability/site.ts';
import { mcpHeaders, rpc } from '../../../test/e2e/drivers/mcp-messages.ts';
import { bearer, type Sent, send } from '../../../test/e2e/http.ts';
import { cpuOf } from '../before/cpu.ts';
import { seedBoard } from '../board-seed.ts';
import { serve } from '../errand.ts';
import type { Finding, Section } from '../report.ts';
import { compete, median, ratio } from '../rounds.ts';
import type { Suite } from '../suite.ts';

const TASKS = 2_000;
const AT_ONCE = 8;
const CALLS_A_SECOND = 150;
const MAX_RATIO = 1.1;
/** The most characters of an answer to a caller who names no size: clients cut longer ones. */
const MAX_CHARACTERS = 4_000;
const REVISION = '2026-07-28';

const microseconds = (value: number): string => `${Math.round(value)} µs`;

interface Sizes {
  readonly subject: string;
  readonly limit?: number;
}

const SIZES: readonly Sizes[] = [{ subject: '50 rows', limit: 50 }, { subject: 'rows that fit' }];

/** The same question of both transports. */
function questions(project_id: string, token: string, { limit }: Sizes): Readonly<Record<'MCP' | 'REST', Sent>> {
  const args = { project_id, ...(limit !== undefined && { limit }) };
  const message = rpc(REVISION, 1, 'tools/call', { name: 'list_tasks', arguments: args });
  const query = limit === undefined ? '' : `?limit=${limit}`;
  return {
    MCP: { path: '/mcp/board', headers: mcpHeaders(REVISION, token, message), body: JSON.stringify(message) },
    REST: { method: 'GET', path: `/api/v1/board/projects/${project_id}/tasks${query}`, headers: bearer(token) },
  };
}

/** Compares what a list of a board costs the server over REST and over MCP. */
export const rest: Suite = async ({ effort }): Promise<Section> => {
  await using site = await openSite();
  await using server = await serve(site.place);
  await seedBoard(site.place, { project_id: site.project_id, tasks: TASKS, attempts: 1, cancelled: 0 });

  const ask = async (sent: Sent): Promise<string> => {
    const { status, text } = await send(server.origin, sent);
    if (status !== 200 || !text.includes('Task 2000')) throw new Error(`list_tasks answered ${status}: ${text}`);
    return text;
  };
  const contestant = (name: string, sent: Sent) => ({
    name,
    run: async (seconds: number): Promise<number> => {
      const calls = seconds * CALLS_A_SECOND;
      let left = calls;
      const client = async (): Promise<void> => {
        while (left-- > 0) await ask(sent);
      };
      const used = cpuOf(server.pid);
      await Promise.all(Array.from({ length: AT_ONCE }, client));
      return (cpuOf(server.pid) - used) / calls;
    },
  });

  const findings: Finding[] = [];
  for (const size of SIZES) {
    const sent = questions(site.project_id, site.token, size);
    // Both are measured again after the first time: code is compiled for both meanwhile.
    const contestants = [contestant('MCP', sent.MCP), contestant('REST', sent.REST)];
    await compete(contestants, { rounds: 2, seconds: 1 });
    const figures = await compete(contestants, { rounds: effort.rounds * 3, seconds: effort.seconds / 2 });
    const [mcp = [], own = []] = [figures.get('MCP'), figures.get('REST')];
    const times = ratio(own, mcp);
    findings.push({
      subject: `CPU of the server for ${size.subject} over REST`,
      figure: microseconds(median(own)),
      against: `MCP: ${microseconds(median(mcp))}`,
      ratio: times,
      target: `≤ ${MAX_RATIO} ×`,
      met: times <= MAX_RATIO,
    });
  }
  const characters = (await ask(questions(site.project_id, site.token, { subject: '' }).REST)).length;
  findings.push({
    subject: 'characters of rows that fit, over REST',
    figure: characters.toLocaleString('en'),
    target: `≤ ${MAX_CHARACTERS.toLocaleString('en')}`,
    met: characters <= MAX_CHARACTERS,
  });
  return {
    title: 'REST beside MCP: `list_tasks` of a board',
    how: `A project of ${TASKS.toLocaleString('en')} tasks on SQLite, ${AT_ONCE} connections, both transports in turns on one server: the CPU time of the server for a call.`,
    findings,
  };
};
