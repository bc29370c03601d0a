import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSite, type Site } from '../../../test/e2e/board-durability/site.ts';
import { bearer, sendJson } from '../../../test/e2e/http.ts';
import { startChild } from '../child.ts';
import { serve } from '../errand.ts';
import { startPolling } from '../polling.ts';
import { type Finding, milliseconds, type Section } from '../report.ts';
import type { Suite } from '../suite.ts';

const ATTEMPTS = 100;
const POLLS_PER_SECOND = 20;
const MAX_P95_MS = 100;
const MAX_MEGABYTES = 512;
const TOGETHER_MS = 5_000;
const WITHIN_MS = 300_000;

/** An agent that writes a file, reports its arrival, and ends when the gate opens. */
const AGENT = 'cat >prompt.txt; echo x >>"$ARRIVED"; read -r _ <"$GATE"; true';

/** Makes a gate that holds every agent until all have started: otherwise the first would end before the last starts. */
async function openGate({ folder, place }: Site) {
  const [gate, arrived] = [join(folder, 'gate'), join(folder, 'arrived')];
  execFileSync('mkfifo', [gate]);
  await writeFile(arrived, '');
  const waiting = { kind: 'command', command: ['/bin/sh', '-c', AGENT], env: { GATE: gate, ARRIVED: arrived } };
  const config = { executors: { waiting }, runner: { max_runs: ATTEMPTS } };
  await writeFile(join(place.data, 'config.json'), JSON.stringify(config));
  return {
    arrived: () => readFileSync(arrived, 'utf8').length / 2,
    open: () => closeSync(openSync(gate, 'w')),
  };
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`Not within ${WITHIN_MS} ms: ${what}.`);
    await sleep(100);
  }
}

/** Returns the peak memory of the server in megabytes. */
const peakMemory = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/** Measures a server that runs a hundred agents at once. */
export const attempts: Suite = async (): Promise<Section> => {
  await using site = await openSite();
  const gate = await openGate(site);
  await using server = await serve(site.place);
  const ask = async (path: string, body: object): Promise<Readonly<Record<string, unknown>>> => {
    const { status, text } = await sendJson(server.origin, `/api/v1/board/${path}`, site.token, body);
    if (status >= 300) throw new Error(`${path} answered ${status}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  const task_ids: unknown[] = [];
  for (let index = 1; index <= ATTEMPTS; index++) {
    task_ids.push((await ask(`projects/${site.project_id}/tasks`, { title: `Task ${index}` })).task_id);
  }
  const path = `/api/v1/board/projects/${site.project_id}/tasks?limit=50`;
  const sent = { method: 'GET', path, headers: bearer(site.token) };
  await using raw = await startChild<{ url: string }>('raw-http.ts', '{}');
  const url = new URL(raw.message.url);
  const ours = startPolling({ origin: server.origin, sent, per_second: POLLS_PER_SECOND });
  const bare = { path: url.pathname, body: '{"id":1}' };
  const theirs = startPolling({ origin: url.origin, sent: bare, per_second: POLLS_PER_SECOND });
  const lap = () => ({ ours: ours.lap(), theirs: theirs.lap() });

  const started = performance.now();
  const repos = [{ repo_id: site.repo_id }];
  await Promise.all(task_ids.map((id) => ask(`tasks/${id}/attempts`, { executor: 'waiting', repos })));
  await until('all agents run', async () => gate.arrived() === ATTEMPTS);
  const starting = lap();
  const all_there = performance.now();
  await sleep(TOGETHER_MS);
  const together = lap();
  const opened = performance.now();
  gate.open();
  const ended = `select count(*) as runs from executions where attempt_id is not null and status = 'completed'`;
  await until('all attempts are over', async () => Number((await site.database.rows(ended))[0]?.runs) === ATTEMPTS);
  const over = performance.now();
  const ending = lap();
  await Promise.all([ours.stop(), theirs.stop()]);

  const speed = (subject: string, phase: ReturnType<typeof lap>): Finding => ({
    subject: `\`list_tasks\` while ${subject}, p95`,
    figure: `${milliseconds(phase.ours.p95_ms)}, at most ${milliseconds(phase.ours.most_ms)}`,
    against: `raw \`node:http\` beside it: ${milliseconds(phase.theirs.p95_ms)}, at most ${milliseconds(phase.theirs.most_ms)}`,
    target: `< ${MAX_P95_MS} ms`,
    met: phase.ours.p95_ms < MAX_P95_MS,
  });
  const megabytes = peakMemory(server.pid);
  const seconds = (from: number, to: number): string => `${((to - from) / 1_000).toFixed(1)} s`;
  return {
    title: 'Running: a hundred attempts at once',
    how: `One server starts ${ATTEMPTS} agents, each in a clone and with a token of its own; they wait for each other, and end at once with a file to commit. Meanwhile \`list_tasks\` is asked ${POLLS_PER_SECOND} times a second over HTTP, and so is a server that does nothing, which tells how busy the machine is.`,
    findings: [
      { subject: 'until all agents run', figure: seconds(started, all_there) },
      { subject: 'until all of it is committed', figure: seconds(opened, over) },
      speed('they are started', starting),
      speed('they run', together),
      speed('they end', ending),
      {
        subject: 'memory of the server, at most',
        figure: `${Math.round(megabytes)} MB`,
        target: `< ${MAX_MEGABYTES} MB`,
        met: megabytes < MAX_MEGABYTES,
      },
    ],
  };
};
