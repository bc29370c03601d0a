import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env, execPath, stderr } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { git, openSite, type Site } from '../e2e/board-durability/site.ts';
import { sendJson } from '../e2e/http.ts';
import { serve } from '../e2e/program.ts';

const RUNS = Number(env.ERRAND_BUDGET_ENDS ?? 100);
/** Each measures for itself: more at once would measure the machine. */
const AT_ONCE = 1;
const MAX_MS = 2_000;
const AGENT = join(import.meta.dirname, '../e2e/board-agents/spending-agent.mjs');

interface Line {
  readonly event: string;
  readonly at: number;
  readonly cost_usd?: number;
  readonly status?: number;
  readonly text?: string;
}

interface Ended {
  /** From the report over the limit to the last sign of life, of the agent and of what it started. */
  readonly ms: number;
  readonly faults: readonly string[];
}

async function configure({ place, folder }: Site): Promise<string> {
  const logs = join(folder, 'agents');
  await mkdir(logs, { recursive: true });
  const spending = { kind: 'command', command: [execPath, AGENT], env: { STATE_DIR: logs } };
  const budgets = { run: { cost_usd: 1 } };
  await writeFile(join(place.data, 'config.json'), JSON.stringify({ executors: { spending }, budgets }));
  return logs;
}

/** One attempt whose agent uses its budget up. */
async function endOne(site: Site, origin: string, logs: string): Promise<Ended> {
  const ask = async (tool: string, args: object): Promise<Record<string, unknown>> => {
    const { status, text } = await sendJson(origin, `/api/v1/tools/${tool}`, site.token, args);
    if (status >= 300) throw new Error(`${tool} answered ${status}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  const { project_id, repo_id } = site;
  const { task_id } = await ask('create_task', { project_id, title: 'Spend' });
  const begun = await ask('start_task_attempt', { task_id, executor: 'spending', repos: [{ repo_id }] });
  const { attempt_id, execution_id } = begun;
  for (;;) {
    const { run } = (await ask('get_attempt', { attempt_id })) as { run: { ended_at: string | null } };
    if (run.ended_at !== null) break;
    await sleep(100);
  }
  const attempt = (await ask('get_attempt', { attempt_id })) as {
    readonly workspace_branch: string;
    readonly run: { readonly status: string; readonly reason: string | null; readonly usage: { cost_usd: number } };
  };
  const lines = (await readFile(join(logs, `${String(execution_id)}.log`), 'utf8'))
    .split('\n')
    .flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as Line] : []));
  const { run, workspace_branch } = attempt;
  const over = lines.find(({ event }) => event === 'over')?.at ?? 0;
  const last = Math.max(...lines.map(({ at }) => at));
  const warnings = lines.filter(({ event, text }) => event === 'told' && text?.startsWith('80 %'));
  const taken = lines.filter(
    ({ event, status, cost_usd = 0 }) => event === 'report' && status === 200 && cost_usd >= 1,
  );
  const work = await git(site.repository, 'show', `${workspace_branch}:work.txt`).catch(() => 'not committed');
  return {
    ms: last - over,
    faults: [
      ...(run.status === 'failed' && run.reason === 'budget_exceeded: 1.5 of 1 USD a run' ? [] : [`${run.reason}`]),
      ...(run.usage.cost_usd === 1.5 ? [] : [`It counts ${run.usage.cost_usd} USD.`]),
      ...(taken.length <= 1 ? [] : [`${taken.length} reports over the limit were taken.`]),
      ...(warnings.length === 1 ? [] : [`It was warned ${warnings.length} times.`]),
      ...(work === 'done so far' ? [] : [`Its work: ${work}`]),
    ],
  };
}

describe('an agent that ignores SIGTERM and uses its budget up', () => {
  it(
    `[L-BUDGET] is warned once, ended within two seconds, and its work is committed, ${RUNS} times`,
    async () => {
      await using site = await openSite();
      const logs = await configure(site);
      await using server = await serve(site.place);
      const ended: Ended[] = [];
      while (ended.length < RUNS) {
        const batch = Array.from({ length: AT_ONCE }, () => endOne(site, server.origin, logs));
        ended.push(...(await Promise.all(batch)));
      }

      const times = ended.map(({ ms }) => ms).toSorted((a, b) => a - b);
      const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))];
      stderr.write(`ms until the end: min ${at(0)}, p50 ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, max ${at(1)}\n`);
      expect(ended.flatMap(({ faults }) => faults)).toEqual([]);
      expect(at(1)).toBeLessThanOrEqual(MAX_MS);
    },
    60_000 + RUNS * 30_000,
  );
});
