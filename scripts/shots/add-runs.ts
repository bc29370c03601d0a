import type { AttemptRepo } from '../../packages/server/src/domain/attempt.ts';
import type { AttemptId, RepoId, StepId } from '../../packages/server/src/domain/ids.ts';
import type { AgentName, Harbour, ProjectKey } from './harbour.ts';
import { filesOf, NIGHT, nightStart, RUNS, type SampleRun, stepsOf } from './sample-runs.ts';
import { clock } from './schedule.ts';

type Taken = Awaited<ReturnType<Harbour['worker']['take']>>;

interface Start {
  readonly project: ProjectKey;
  readonly task: number;
  readonly agent: AgentName;
  /** Until when the agent claims the task; undefined for an agent that claims nothing. */
  readonly claim?: number | undefined;
}

let steps = 0;
const nextStep = (): StepId => {
  steps += 1;
  return `20000000-0000-7000-8000-${String(steps).padStart(12, '0')}` as StepId;
};

/** What is known of the attempt’s branch. */
export const branchOf = (
  { repos }: Harbour,
  project: ProjectKey,
  run: Taken,
  changes: Pick<AttemptRepo, 'base_commit' | 'head_commit' | 'commits' | 'patch'> & {
    readonly files: readonly object[];
  },
): AttemptRepo => ({
  attempt_id: run.attempt.id as AttemptId,
  // Made by `openHarbour`.
  repo_id: repos.get(project) as RepoId,
  target_branch: 'main',
  is_patch_cut: false,
  is_set_up: true,
  ...changes,
  files: JSON.stringify(changes.files),
});

/** An agent claims a task and starts an attempt at it, which the worker takes. */
export async function begin(harbour: Harbour, { project, task, agent, claim }: Start): Promise<Taken> {
  const { as, worker, repos, time, AGENTS } = harbour;
  const task_id = `${project}-${task}`;
  if (claim !== undefined) {
    await as(agent, 'next_task', { task_id, lease_minutes: Math.round((claim - time.now) / 60_000) });
  }
  await worker.beatAgain();
  await as(agent, 'start_task_attempt', {
    task_id,
    executor: AGENTS[agent].executor,
    repos: [{ repo_id: repos.get(project) }],
  });
  const run = await worker.take();
  await worker.beginSpawn(run);
  await worker.log.write(run, [{ type: 'client', client: AGENTS[agent].client }]);
  return run;
}

/** A step of a run begins or changes. */
export function aStep({ worker }: Harbour, run: () => Taken) {
  const ids = new Map<string, StepId>();
  return (name: string, status: 'running' | 'completed' | 'failed' | 'skipped', message: string | null = null) => {
    // Named once for each time that it begins: the same step may come twice.
    const step_id = (status === 'running' ? undefined : ids.get(name)) ?? nextStep();
    ids.set(name, step_id);
    return worker.log.write(run(), [{ type: 'step', step_id, name, status, message, source: 'agent' }]);
  };
}

/** Earlier attempts at the task, which their person stopped. */
function addEarlier(harbour: Harbour, { project, task, agent, attempt = 1, from }: SampleRun): void {
  const { schedule, worker } = harbour;
  for (let number = 1; number < attempt; number += 1) {
    const at = from - (attempt - number) * 20 * 60_000;
    let taken: Taken | undefined;
    schedule.at(at, async () => {
      taken = await begin(harbour, { project, task, agent });
    });
    schedule.at(at + 12 * 60_000, async () => {
      if (taken === undefined) return;
      await worker.finish(taken, { status: 'failed', reason: 'The tests failed.', summary: null }, []);
    });
  }
}

function addRun(harbour: Harbour, wanted: SampleRun): void {
  const { schedule, worker, as, repos, AGENTS } = harbour;
  const { project, task, agent, claim, planned = 0, ended, reason = null, summary = null } = wanted;
  addEarlier(harbour, wanted);
  if (wanted.queued) {
    const start = {
      task_id: `${project}-${task}`,
      executor: AGENTS[agent].executor,
      repos: [{ repo_id: repos.get(project) }],
    };
    schedule.at(wanted.from, async () => {
      await worker.beatAgain();
      await as(agent, 'start_task_attempt', start);
    });
    return;
  }
  let taken: Taken | undefined;
  const run = (): Taken => {
    if (taken === undefined) throw new Error(`${project}-${task} has not begun`);
    return taken;
  };
  const changes = () =>
    branchOf(harbour, project, run(), {
      base_commit: 'a'.repeat(40),
      head_commit: 'b'.repeat(40),
      commits: 1,
      patch: '',
      files: filesOf(wanted),
    });

  schedule.at(wanted.from, async () => {
    taken = await begin(harbour, { project, task, agent, claim });
    const entries = Array.from({ length: planned }, (_, at) => ({
      content: `To come ${at + 1}`,
      status: 'pending' as const,
    }));
    await worker.log.write(taken, [{ type: 'plan', entries }]);
  });
  const step = aStep(harbour, run);
  for (const { name, status, from, to } of stepsOf(wanted)) {
    schedule.at(from, () => step(name, 'running'));
    if (status !== 'running') schedule.at(to, () => step(name, status));
  }
  schedule.at(wanted.to, async () => {
    if (ended !== undefined)
      return worker.finish(run(), { status: ended, reason, summary }, wanted.files ? [changes()] : []);
    if (wanted.files) await worker.noteRepos(run(), [changes()]);
    return worker.log.write(run(), [{ type: 'feed', kind: 'tool_call', text: 'get_context' }]);
  });
}

/** The questions that wait, besides those of the attempt that is shown. */
function addQuestions(harbour: Harbour): void {
  const { schedule, worker, world } = harbour;
  const runningOn = async (key: string): Promise<{ execution_id: never; epoch: number }> => {
    const { runs } = await world.ask('list_runs', { task_id: key });
    // As the tool declares it.
    const [run] = runs as { execution_id: never }[];
    if (run === undefined) throw new Error(`${key} has no run`);
    const held = await world.store.reads.queue.findForWorker(run.execution_id);
    return { execution_id: run.execution_id, epoch: held?.epoch ?? 0 };
  };
  schedule.at(clock('14:12:37'), async () =>
    worker.log.ask(await runningOn('SHOP-138'), {
      kind: 'permission',
      question: 'Run the migration on the staging database?',
      details: 'npm run db:migrate -- --env staging',
      options: JSON.stringify([
        { option: 'once', name: 'Approve once', kind: 'allow_once' },
        { option: 'always', name: 'Always approve', kind: 'allow_always' },
        { option: 'no', name: 'Deny', kind: 'reject_once' },
      ]),
    }),
  );
  schedule.at(clock('14:08:40'), async () =>
    worker.log.ask(await runningOn('PAY-90'), {
      kind: 'question',
      question: 'Pay out before or after a bank holiday?',
      details: null,
      options: '[]',
    }),
  );
}

/** Writes down the runs of the day and of the night before. */
export function addRuns(harbour: Harbour): void {
  const { schedule, as } = harbour;
  for (const run of RUNS) addRun(harbour, run);
  addQuestions(harbour);
  const names: readonly AgentName[] = ['atlas', 'kite', 'juno', 'scout', 'moss'];
  for (const { hours_ago, count, failed } of NIGHT) {
    for (let n = 0; n < count; n += 1) {
      const agent = names[(hours_ago + n) % names.length] ?? 'atlas';
      const at = nightStart(hours_ago, n);
      let execution_id: unknown;
      schedule.at(at, async () => {
        execution_id = (await as(agent, 'create_execution', { name: `Nightly check ${24 - hours_ago}.${n + 1}` })).id;
      });
      schedule.at(at + 200_000, () =>
        as(agent, 'update_execution', { execution_id, status: n < failed ? 'failed' : 'completed' }),
      );
    }
  }
}
