import type { UserId, WorkspaceId } from '#domain/ids';
import type { Within } from '#domain/reach';
import { type Dialect, plainStatement, type Statement } from './statement.ts';

/** What a question may see, as the parameters of a statement. */
export interface WithinParams {
  readonly workspace_id: WorkspaceId;
  /** A list of ids as JSON; null for all that are not someone else's todo list. */
  readonly project_ids: string | null;
  readonly user_id: UserId | null;
}

export const withinParams = ({ workspace_id, project_ids, user_id }: Within): WithinParams => ({
  workspace_id,
  project_ids: project_ids === 'all' ? null : JSON.stringify(project_ids),
  user_id: user_id ?? null,
});

/** How a dialect says that the project of this column may be seen. */
type InProjects = (column: string) => string;

const OPEN = `
  select open_projects.id from projects as open_projects
  where open_projects.workspace_id = :workspace_id
    and (open_projects.owner_id is null or open_projects.owner_id = :user_id)`;

export const IN_PROJECTS: Readonly<Record<Dialect, InProjects>> = {
  sqlite: (column) => `
    case when :project_ids is null then ${column} in (${OPEN})
    else ${column} in (select value from json_each(:project_ids)) end`,
  postgres: (column) => `
    case when :project_ids::json is null then ${column} in (${OPEN})
    else ${column} in (select json_array_elements_text(:project_ids::json)) end`,
};

/** A statement whose words ask whether a project may be seen. */
export const withinStatement = <Params extends object, Row>(
  words: (inProjects: InProjects) => string,
): Statement<Params & WithinParams, Row> =>
  plainStatement({ sqlite: words(IN_PROJECTS.sqlite), postgres: words(IN_PROJECTS.postgres) });

/** That a row of `work_items` is the one with this id, and may be seen. */
export const itemWithin = (inProjects: InProjects): string => `
  work_items.id = :id and work_items.workspace_id = :workspace_id and ${inProjects('work_items.project_id')}`;
