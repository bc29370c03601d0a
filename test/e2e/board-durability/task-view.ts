import type { FollowedTask } from './ledger.ts';
import type { Fields, Talk } from './talk.ts';

/** The state of an MCP task, for both generations. */
export interface TaskView {
  readonly status: string;
  readonly execution_id: string | null;
  /** The status of the run in the result; null without a result. */
  readonly run_status: string | null;
  readonly is_error: boolean;
}

export const isEnded = ({ status }: TaskView): boolean => /^(?:completed|failed|cancelled)$/.test(status);

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

export async function viewTask(talk: Talk, { task_id: taskId, revision }: FollowedTask): Promise<TaskView> {
  const got = await talk.mcp(revision, 'tasks/get', { taskId });
  if (!got.ok)
    return {
      status: `not to be read: ${got.text.slice(0, 200)}`,
      execution_id: null,
      run_status: null,
      is_error: true,
    };
  const { status, result: own, _meta } = got.value;
  // In 2025 the result is separate from the task, and `tasks/result` blocks until there is one.
  const isKeptApart = revision === '2025-11-25' && (status === 'completed' || status === 'failed');
  const apart = isKeptApart ? await talk.mcp(revision, 'tasks/result', { taskId }) : null;
  const result = fieldsOf(apart?.ok ? apart.value : own);
  const content = fieldsOf(result.structuredContent);
  const variables = fieldsOf(fieldsOf(_meta)['dev.errand/variables']);
  return {
    status: String(status),
    execution_id: textOf(content.execution_id) ?? textOf(variables.execution_id),
    run_status: textOf(content.run_status),
    is_error: result.isError === true,
  };
}
