import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../durability/random.ts';
import { type AgentNote, markLine } from './agent-log.ts';
import { processesOf } from './judge-processes.ts';
import type { Launched } from './launch.ts';
import { environmentFile, madeFile } from './scripts.ts';
import type { Site } from './site.ts';
import type { Fields, Talk } from './talk.ts';

/** The state of a run when its worker is paused. In `ending` the agent ends during the pause, in `collecting` before. */
export const STOPS = ['preparing', 'running', 'ending', 'collecting'] as const;
export type Part = (typeof STOPS)[number] | 'over';

/** When the worker resumes: when it has lost the run, while the follow-up runs or is collected, or at the end. */
export const WAKES = ['at once', 'meanwhile', 'at its end', 'afterwards'] as const;
export type Wake = (typeof WAKES)[number];

export interface RoundNeeds {
  readonly site: Site;
  readonly talk: Talk;
  readonly workers: readonly Launched[];
  readonly random: Random;
  readonly key: string;
  readonly part: (typeof STOPS)[number];
  readonly wake: Wake;
  readonly areTogether: boolean;
}

export interface RoundOutcome {
  /** The actual state of the worker: `preparing` may have ended before the signal came. */
  readonly part: Part;
  readonly faults: readonly string[];
}

interface RunState {
  readonly status: string;
  readonly worker_id: string | null;
  readonly spawned_at: number | null;
  readonly epoch: number;
}

const LOOK_MS = 10;
const PATIENCE_MS = 120_000;
/** Longer than a resumed worker needs for a forbidden write. */
const SECOND_TRY_MS = 300;
const LONG_MS = 8_000;

const RUN = `
  select executions.status, runs.worker_id, runs.spawned_at, runs.epoch
  from executions join runs on runs.execution_id = executions.id where executions.id = ?`;

async function until<T>(what: string, look: () => Promise<T | null> | T | null): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(LOOK_MS)) {
    const found = await look();
    if (found !== null) return found;
  }
  throw new Error(`Waited in vain until ${what}.`);
}

const isOver = ({ status }: RunState): boolean => status !== 'queued' && status !== 'running';

export function createRound({ site, talk, workers, random, key, part, wake, areTogether }: RoundNeeds) {
  const { database, agents, folder, project_id, repo_id } = site;
  const next = `${key}-next`;
  const faults: string[] = [];

  const script = (name: string, sleep_ms: number): string =>
    [
      `dump-env ${environmentFile(folder, name)}`,
      `write ${madeFile(name)} ${name}`,
      markLine(name),
      'spawn-orphan',
      `sleep ${sleep_ms}`,
      `say ended ${name}`,
    ].join('\n');

  async function ask(tool: string, args: Fields): Promise<Fields> {
    const answer = await talk.ask(tool, { ...args, idempotency_key: `${key} ${tool}` });
    if (!answer.ok) throw new Error(`${tool}: ${answer.text}`);
    return answer.value;
  }

  async function stateOf(execution_id: string): Promise<RunState> {
    const [row] = await database.rows(RUN, [execution_id]);
    if (row === undefined) throw new Error(`Run ${execution_id} is gone.`);
    return row as unknown as RunState;
  }

  const hasNoted = (event: AgentNote['event'], execution_id: string): boolean =>
    agents.notes().some((note) => note.event === event && note.execution_id === execution_id);

  async function begin(): Promise<{ readonly attempt_id: string; readonly execution_id: string }> {
    const { task_id } = await ask('create_task', { project_id, title: key });
    const sleep_ms = { preparing: 200, running: LONG_MS, ending: 400, collecting: 50 }[part];
    const prompt = script(key, sleep_ms);
    const started = await ask('start_task_attempt', { task_id, executor: 'scripted', prompt, repos: [{ repo_id }] });
    return { attempt_id: String(started.attempt_id), execution_id: String(started.execution_id) };
  }

  /** Pauses the worker of the run, near the wanted state. */
  async function stop(execution_id: string): Promise<{ readonly worker: Launched; readonly worker_id: string }> {
    const { worker_id } = await until('a worker has the run', async () => {
      const state = await stateOf(execution_id);
      if (state.worker_id === null) return null;
      const isThere = part === 'preparing' || hasNoted(part === 'collecting' ? 'end' : 'start', execution_id);
      return isThere ? state : null;
    });
    const [row] = await database.rows('select pid from workers where id = ?', [worker_id]);
    const worker = workers.find(({ pid }) => pid === Number(row?.pid));
    if (worker === undefined || worker_id === null) throw new Error(`No worker of ours has run ${execution_id}.`);
    if (part === 'preparing' || part === 'collecting') await sleep(random.between(0, 100));
    worker.signal('SIGSTOP');
    return { worker, worker_id };
  }

  async function wakeUp(worker: Launched, worker_id: string, execution_ids: ReadonlySet<string>): Promise<void> {
    const lease = async (): Promise<number> => {
      const [row] = await database.rows('select lease_until from workers where id = ?', [worker_id]);
      return Number(row?.lease_until ?? 0);
    };
    const before = await lease();
    worker.signal('SIGCONT');
    await until('the worker is back', async () => ((await lease()) > before ? true : null));
    await until('nothing is left of its run', async () => (processesOf(execution_ids).length === 0 ? true : null));
    await sleep(SECOND_TRY_MS);
  }

  /** Waits for the follow-up to start. If it uses the same folder, no process of the previous run may be left. */
  async function followed(execution_id: string): Promise<string> {
    const next_id = await until('the follow-up is a run', async () => {
      const [row] = await database.rows(
        `select execution_id from queued_prompts where prompt like ? and execution_id is not null`,
        [`%${markLine(next)}\n%`],
      );
      return row === undefined ? null : String(row.execution_id);
    });
    await until('the follow-up has begun', async () => {
      if (hasNoted('start', next_id)) return true;
      return isOver(await stateOf(next_id)) ? true : null;
    });
    const left = areTogether ? processesOf(new Set([execution_id])) : [];
    if (left.length > 0) faults.push(`${left.length} processes of the run before share the folder with the follow-up`);
    return next_id;
  }

  async function play(): Promise<RoundOutcome> {
    const { attempt_id, execution_id } = await begin();
    const { worker, worker_id } = await stop(execution_id);
    try {
      const stopped = await stateOf(execution_id);
      await ask('follow_up', { attempt_id, action: 'queue', prompt: script(next, 200) });
      if (isOver(stopped)) return { part: 'over', faults };
      await until('the run is taken away', async () =>
        (await stateOf(execution_id)).epoch > stopped.epoch ? true : null,
      );

      const wakeNow = (): Promise<void> => wakeUp(worker, worker_id, new Set([execution_id]));
      const ended = (id: string) => until('the run has ended', async () => (isOver(await stateOf(id)) ? true : null));
      if (wake === 'at once') await wakeNow();
      await ended(execution_id);
      const next_id = await followed(execution_id);
      if (wake === 'meanwhile') await wakeNow();
      if (wake === 'at its end') {
        await until('the follow-up is at its end', async () =>
          hasNoted('end', next_id) || isOver(await stateOf(next_id)) ? true : null,
        );
        await wakeNow();
      }
      await ended(next_id);
      if (wake === 'afterwards') await wakeNow();
      const wasPreparing = stopped.spawned_at === null;
      return { part: wasPreparing || part !== 'preparing' ? part : 'running', faults };
    } finally {
      worker.signal('SIGCONT');
    }
  }

  return { play };
}
