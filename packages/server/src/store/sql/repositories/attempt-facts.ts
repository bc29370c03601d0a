import { type Attempt, type AttemptRow, FAILED, MAX_FAILURE_LINE } from '#domain/attempt';
import { attemptState } from '#domain/attempt-state';
import { failureLine } from '#domain/failure-line';
import { attemptKey, taskKey } from '#domain/key';

/** The columns that the key, the state and the failure of an attempt are computed from. */
export interface AttemptFacts extends Pick<Attempt, 'merged_at' | 'archived_at' | 'run_status'> {
  readonly project_key: string | null;
  readonly task_number: number | null;
  readonly attempt_number: number | null;
  readonly open_questions: number;
  /** The reason of its latest run, if that failed. */
  readonly failure: string | null;
}

const FAILURES = FAILED.map((status) => `'${status}'`).join(', ');

interface FactTables {
  /** The name of the attempt in the query. */
  readonly attempt: string;
  readonly item: string;
  /** The id of the project. Of a parameter, the key is read once for all rows. */
  readonly project_id: string;
}

/** The same columns of a query. */
export const attemptFacts = ({ attempt, item, project_id }: FactTables): string => `
  (select projects.key from projects where projects.id = ${project_id}) as project_key,
  ${item}.number as task_number,
  ${attempt}.number as attempt_number, ${attempt}.merged_at as merged_at, ${attempt}.archived_at as archived_at,
  ${attempt}.run_status as run_status,
  (select count(*) from approvals where approvals.attempt_id = ${attempt}.id and approvals.status = 'pending') as open_questions,
  case when ${attempt}.run_status in (${FAILURES}) then (
    select executions.reason from executions where executions.attempt_id = ${attempt}.id and executions.kind <> 'script' order by executions.id desc limit 1
  ) end as failure`;

export function fromFacts(
  facts: AttemptFacts,
): Pick<AttemptRow, 'key' | 'state' | 'last_failure_line'> & { readonly task_key: string | null } {
  const task_key = taskKey(facts.project_key, facts.task_number);
  return {
    task_key,
    key: attemptKey(task_key, facts.attempt_number),
    state: attemptState(facts, Number(facts.open_questions)),
    last_failure_line: failureLine(facts.failure, MAX_FAILURE_LINE),
  };
}
