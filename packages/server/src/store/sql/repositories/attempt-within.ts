import type { Attempt } from '#domain/attempt';
import type { AttemptId, WorkspaceId } from '#domain/ids';
import type { Within } from '#domain/reach';
import { named } from '#store/sql/row-writes';
import type { Session } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import { inProjects, type WithinParams, withinParams } from '#store/sql/within';

export const ATTEMPT_COLUMNS = [
  'id',
  'workspace_id',
  'project_id',
  'work_item_id',
  'branch',
  'host_id',
  'removal',
  'run_status',
  'outside',
  'number',
  'verdict',
  'verdict_at',
  'red_retries',
  'sibling_group',
  'archived_at',
  'merged_at',
  'pull_request',
  'created_by_user_id',
  'created_by_agent_id',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof Attempt)[];

const find = statement<WithinParams & { readonly id: AttemptId }, Attempt>(
  (words) => `
    select ${named(ATTEMPT_COLUMNS)} from attempts
    where id = :id and workspace_id = :workspace_id and ${inProjects(words, 'project_id')}`,
);

/** What belongs to an attempt, as the parameters of a statement with the condition `OF_ATTEMPT`. */
export interface OfAttempt {
  readonly attempt_id: AttemptId;
  readonly workspace_id: WorkspaceId;
}

/** That a row belongs to the attempt, and the attempt to the workspace. */
export const OF_ATTEMPT =
  'attempt_id = (select id from attempts where attempts.id = :attempt_id and attempts.workspace_id = :workspace_id)';

/** The attempt of a thing; null when it is not visible. */
export const attemptWithin = (session: Session, within: Within, id: AttemptId): Promise<Attempt | null> =>
  session.get(find, { ...withinParams(within), id });
