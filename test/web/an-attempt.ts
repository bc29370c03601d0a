import type { ChangedFile } from '../../packages/server/src/domain/attempt.ts';
import type { RepoId, StepId } from '../../packages/server/src/domain/ids.ts';
import type { FeedKind, StepStatus } from '../../packages/server/src/domain/run.ts';
import type { aWorker } from '../../packages/server/src/testing/attempts.ts';
import { aSteeredRun } from '../../packages/server/src/testing/steered.ts';
import type { World } from '../../packages/server/src/testing/world.ts';

/** The patch of a file: its old lines with −, its new ones with +, the others with a space before them. */
export const aPatch = (path: string, ...lines: readonly string[]): string => {
  const count = (sign: string): number => lines.filter((line) => line.startsWith(' ') || line.startsWith(sign)).length;
  const head = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n`;
  return `${head}@@ -1,${count('-')} +1,${count('+')} @@\n${lines.join('\n')}\n`;
};

export interface Changed {
  readonly path: string;
  readonly lines: readonly string[];
}

type Worker = Awaited<ReturnType<typeof aWorker>>;

interface Ending {
  readonly repo_id: unknown;
  readonly changed: readonly Changed[];
  readonly status: 'completed' | 'failed';
}

function endRun(worker: Worker, run: Awaited<ReturnType<Worker['take']>>, ending: Ending): Promise<void> {
  const { repo_id, changed, status } = ending;
  const files = changed.map(
    ({ path, lines }): ChangedFile => ({
      path,
      change: lines.every((line) => line.startsWith('+')) ? 'added' : 'modified',
      insertions: lines.filter((line) => line.startsWith('+')).length,
      deletions: lines.filter((line) => line.startsWith('-')).length,
    }),
  );
  const reason = status === 'failed' ? 'The agent ended with exit code 3.' : null;
  return worker.finish(run, { status, reason, summary: 'Done.' }, [
    {
      attempt_id: run.attempt.id,
      // Made by `aBoard`.
      repo_id: repo_id as RepoId,
      target_branch: 'main',
      base_commit: 'a'.repeat(40),
      head_commit: 'b'.repeat(40),
      commits: 1,
      files: JSON.stringify(files),
      patch: changed.map(({ path, lines }) => aPatch(path, ...lines)).join(''),
      is_patch_cut: false,
      is_set_up: false,
    },
  ]);
}

/** An attempt whose agent reports what the test tells it. */
export async function anAttempt(world: World) {
  const steered = await aSteeredRun(world);
  const { worker, run, repo_id } = steered;

  const step = (
    n: number,
    name: string,
    status: StepStatus = 'running',
    message: string | null = null,
  ): Promise<void> =>
    worker.log.write(run, [
      {
        type: 'step',
        step_id: `20000000-0000-7000-8000-${String(n).padStart(12, '0')}` as StepId,
        name,
        status,
        message,
        source: 'agent',
      },
    ]);

  const say = (kind: Exclude<FeedKind, 'status'>, ...texts: readonly string[]): Promise<void> =>
    worker.log.write(
      run,
      texts.map((text) => ({ type: 'feed', kind, text }) as const),
    );

  /** Ends the run, with these changes on its branch. */
  const end = (changed: readonly Changed[] = [], status: 'completed' | 'failed' = 'completed'): Promise<void> =>
    endRun(worker, run, { repo_id, changed, status });

  /** Takes the run that waits, and ends it with these changes. */
  const endNext = async (changed: readonly Changed[]): Promise<void> => {
    const next = await worker.take();
    await worker.beginSpawn(next);
    await endRun(worker, next, { repo_id, changed, status: 'completed' });
  };

  /** Another task of the project, whose run has ended with these changes. */
  const anotherEnded = async (changed: readonly Changed[]): Promise<void> => {
    const { task_id } = await world.ask('create_task', { project_id: steered.project_id, title: 'Mend the door' });
    await world.ask('start_task_attempt', { task_id, executor: 'scripted', repos: [{ repo_id }] });
    await endNext(changed);
  };

  return { ...steered, step, say, end, endNext, anotherEnded };
}
