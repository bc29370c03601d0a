import type { AttemptId, ProjectId, RepoId } from '#domain/ids';
import type { Project } from '#domain/project';
import type { ClaimedJob } from '#services/ship/claimed-job';
import { createGitJobs } from '#services/ship/job-queue';
import { aBoard, aWorker } from './attempts.ts';
import { countedIds, type World } from './world.ts';

const LEASE_MS = 30_000;

/** An attempt whose agent has worked, and a worker that carries out no job by itself: the tests decide how jobs end. */
export async function aShippable(world: World) {
  const board = await aBoard(world);
  const worker = await aWorker(world);
  const ids = countedIds();
  const jobs = createGitJobs(world.store, <Id extends string>() => ids().replace(/^0{8}/, 'dddddddd') as Id);
  const project_id = board.project_id as ProjectId;
  const repo_id = board.repo_id as RepoId;

  /** An attempt that has ended with these commits. */
  const attempt = async (task_id = board.task_id): Promise<AttemptId> => {
    const { attempt_id } = await board.start({ task_id });
    const repo = {
      attempt_id: attempt_id as AttemptId,
      repo_id,
      target_branch: 'main',
      base_commit: 'aaaa',
      head_commit: 'bbbb',
      commits: 1,
      files: JSON.stringify([{ path: 'a.txt', change: 'modified', insertions: 1, deletions: 0 }]),
      patch: '',
      is_patch_cut: false,
      is_set_up: false,
    };
    await worker.finish(await worker.take(), { status: 'completed', reason: null, summary: 'Done.' }, [repo]);
    return attempt_id as AttemptId;
  };

  /** The next job that waits for a worker of this machine. */
  const take = async (worker_id = 'worker-1', host_id = 'host-1'): Promise<ClaimedJob> => {
    for (let tries = 0; tries < 6_000; tries += 1) {
      const [claimed] = await jobs.take({ worker_id, host_id, lease_ms: LEASE_MS, limit: 1 });
      if (claimed !== undefined) return claimed;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error('no job waits');
  };

  const merged = ({ job }: ClaimedJob): Promise<void> =>
    jobs.finish(job, { status: 'done', result: { commits: [{ repo_id, commit: 'cccc' }] } });

  const setProject = (fields: Partial<Project>): Promise<void> =>
    world.store.transaction(async (tx) => {
      const project = await tx.projects.find(world.owner.workspace_id, project_id);
      if (project !== null) await tx.projects.update({ ...project, ...fields });
    });

  return { ...board, project_id, repo_id, worker, jobs, attempt, take, merged, setProject, LEASE_MS };
}
