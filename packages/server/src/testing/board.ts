import { ATTEMPT_DEFAULTS, type Attempt, type Session } from '#domain/attempt';
import type { Caller } from '#domain/caller';
import type { AttemptId, ProjectId, RepoId, RunId, SessionId, WorkItemId } from '#domain/ids';
import { newRun } from '#domain/run';
import type { Scope } from '#domain/scope';
import { issueAttemptToken } from '#services/tokens';
import { createTracker } from './tracker.ts';
import { countedIds, createWorld, type World } from './world.ts';

export const BOARD_SCOPES: readonly Scope[] = ['board:read', 'board:write', 'board:run'];

/** A task in the form of the board's answers. */
export interface Task {
  readonly task_id: string;
  readonly title: string;
  readonly status: string;
  readonly is_ready: boolean;
  readonly [field: string]: unknown;
}

interface AttemptFields extends Partial<Pick<Attempt, 'branch' | 'run_status' | 'created_at'>> {
  readonly id?: string;
  readonly repo_ids?: readonly string[];
  /** The executors of its sessions, in order of creation. */
  readonly sessions?: readonly string[];
}

/** Makes tasks and attempts in a project of a world. */
export function createBoardOf(world: World, project_id: string) {
  const ids = countedIds();
  const idOf = (letter: string): string => ids().replace(/^0{8}/, letter.repeat(8));

  const task = async (fields: Record<string, unknown> = {}, caller?: Caller): Promise<string> =>
    (await world.ask('create_task', { project_id, title: 'Fix the roof', ...fields }, caller)).task_id as string;

  /** Stores an attempt with its sessions. */
  const attempt = (work_item_id: string, fields: AttemptFields = {}): Promise<Attempt & { sessions: Session[] }> =>
    world.store.transaction(async (tx) => {
      const created_at = fields.created_at ?? tx.now;
      const made: Attempt = {
        id: (fields.id ?? idOf('a')) as AttemptId,
        workspace_id: world.owner.workspace_id,
        project_id: project_id as ProjectId,
        work_item_id: work_item_id as WorkItemId,
        branch: fields.branch ?? 'errand/fix-the-roof',
        ...ATTEMPT_DEFAULTS,
        number: null,
        run_status: fields.run_status ?? null,
        created_by_user_id: world.owner.user_id,
        created_by_agent_id: null,
        created_at,
        updated_at: created_at,
      };
      const repos = (fields.repo_ids ?? []).map((repo_id) => ({
        attempt_id: made.id,
        repo_id: repo_id as RepoId,
        target_branch: 'main',
        base_commit: null,
        head_commit: null,
        commits: null,
        files: null,
        patch: null,
        is_patch_cut: false,
        is_set_up: false,
      }));
      await tx.attempts.insert(made, repos);
      const sessions = (fields.sessions ?? []).map((executor, index) => ({
        id: idOf('b') as SessionId,
        attempt_id: made.id,
        executor,
        variant: null,
        agent_session_id: null,
        created_at: created_at + index,
        updated_at: created_at + index,
      }));
      for (const session of sessions) await tx.attempts.insertSession(session);
      return { ...made, sessions };
    });

  /** Stores a run of the attempt. */
  const run = (of: Attempt, status: 'running' | 'completed' | 'failed', reason: string | null = null) =>
    world.store.transaction(async (tx) => {
      const execution = newRun({
        kind: 'agent',
        id: idOf('c') as RunId,
        workspace_id: of.workspace_id,
        project_id: of.project_id,
        work_item_id: of.work_item_id,
        attempt_id: of.id,
        user_id: world.owner.user_id,
        agent_id: null,
        status,
        reason,
        started_at: tx.now,
      });
      await tx.runs.insert(execution);
      await tx.attempts.update({ ...of, run_status: status });
      return execution;
    });

  return {
    task,
    attempt,
    run,
    /** The caller that has the token of a run of this attempt. */
    within: async (of: Attempt): Promise<Caller> => {
      const running = await run(of, 'running');
      const issued = await world.store.transaction((tx) =>
        issueAttemptToken(tx, ids, { run: running, attempt: of, expires_at: tx.now + 86_400_000 }),
      );
      return world.gateway.authenticate(issued.secret);
    },
    read: (task_id: string, caller?: Caller): Promise<Record<string, unknown>> =>
      world.ask('get_task', { task_id }, caller),
    list: async (fields: Record<string, unknown> = {}, caller?: Caller): Promise<readonly Task[]> =>
      (await world.ask('list_tasks', { project_id, ...fields }, caller)).tasks as readonly Task[],
  };
}

interface Rights {
  readonly scopes?: readonly Scope[];
  readonly can_complete?: boolean;
  readonly can_cancel?: boolean;
}

/** A world with one project, and an agent with every board right that agents can have. */
export async function createBoardWorld({ scopes = BOARD_SCOPES, ...rights }: Rights = {}) {
  const world = await createWorld();
  const tracker = createTracker(world);
  const project_id = await tracker.project();
  const robot = await tracker.agent({ projects: [project_id], scopes, ...rights });
  return {
    ...createBoardOf(world, project_id),
    world,
    project_id,
    robot,
    agent: tracker.agent,
    project: tracker.project,
    [Symbol.asyncDispose]: () => world.store.close(),
  };
}
