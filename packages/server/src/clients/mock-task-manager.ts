import { randomUUID } from 'node:crypto';
import { say } from '#advice';
import { plainLine } from '#domain/plain-text';
import { visible } from '#domain/visible-text';
import { type ReportedExecution, type ReportedStep, type TaskManager, TaskManagerError } from '#tools/task-manager';

interface MockTaskManager extends TaskManager {
  readonly executions: ReadonlyMap<string, Required<ReportedExecution>>;
  /** The steps by step id. */
  readonly steps: ReadonlyMap<string, Required<ReportedStep>>;
}

const now = (): string => new Date().toISOString();

function aRun(execution_id: string): Required<ReportedExecution> {
  const started_at = now();
  return {
    id: execution_id,
    execution_id,
    name: null,
    kind: 'external',
    status: 'running',
    reason: null,
    liveness: 'live',
    project_id: null,
    work_item_id: null,
    task_key: null,
    attempt_key: null,
    user_id: 'mock',
    agent_id: null,
    session_id: null,
    worktree_path: null,
    branch: null,
    client: null,
    usage: null,
    summary: null,
    step_count: 0,
    started_at,
    seen_at: started_at,
    ended_at: null,
  };
}

const messageOf = (message: string): string | null => visible(message).trim() || null;

/** A Task Manager in memory, for tests to inspect. It accepts every execution id. */
export function createMockTaskManager(): MockTaskManager {
  const executions = new Map<string, Required<ReportedExecution>>();
  const steps = new Map<string, Required<ReportedStep>>();

  function seen(execution_id: string): Required<ReportedExecution> {
    const execution = { ...(executions.get(execution_id) ?? aRun(execution_id)), seen_at: now() };
    executions.set(execution_id, execution);
    return execution;
  }

  return {
    executions,
    steps,

    patchExecution: async (execution_id, { session_id, worktree_path }) => {
      const lines = {
        ...(session_id !== undefined && { session_id: plainLine('session_id', session_id) }),
        ...(worktree_path !== undefined && { worktree_path: plainLine('worktree_path', worktree_path) }),
      };
      const execution = { ...seen(execution_id), ...lines };
      executions.set(execution_id, execution);
      return execution;
    },

    createStep: async (execution_id, { step_name, message, status = 'running' }) => {
      const name = plainLine('step_name', step_name);
      const { seen_at, step_count, ...run } = seen(execution_id);
      const seq = step_count + 1;
      executions.set(execution_id, { ...run, seen_at, step_count: seq });
      const id = randomUUID();
      const step: Required<ReportedStep> = {
        id,
        step_id: id,
        execution_id,
        seq,
        step_name: name,
        status,
        message: message === undefined ? null : messageOf(message),
        source: 'agent',
        started_at: seen_at,
        updated_at: seen_at,
        ended_at: status === 'running' ? null : seen_at,
      };
      steps.set(id, step);
      return step;
    },

    patchStep: async (execution_id, step_id, { status, message }) => {
      const step = steps.get(step_id);
      if (step?.execution_id !== execution_id) {
        throw new TaskManagerError(
          say`No step ${step_id} in execution ${execution_id}. ${{ tool: 'create_step' }} creates one and gives its id.`,
          {
            error_code: 'not_found',
            status_code: 404,
          },
        );
      }
      const { seen_at } = seen(execution_id);
      const changed = {
        ...step,
        status: status ?? step.status,
        message: message === undefined ? step.message : messageOf(message),
        updated_at: seen_at,
      };
      const ended_at = changed.status === 'running' ? null : (step.ended_at ?? seen_at);
      steps.set(step_id, { ...changed, ended_at });
      return { ...changed, ended_at };
    },

    checkHealth: async () => ({ status: 'healthy', client: 'mock' }),
  };
}
