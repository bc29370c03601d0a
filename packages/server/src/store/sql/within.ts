import type { UserId, WorkspaceId } from '#domain/ids';
import type { Within } from '#domain/reach';
import type { Words } from './dialect.ts';

/** The visible projects of a query, as parameters of a statement. */
export interface WithinParams {
  readonly workspace_id: WorkspaceId;
  /** A JSON list of ids; null for all projects except other people's todo lists. */
  readonly project_ids: string | null;
  readonly user_id: UserId | null;
}

export const withinParams = ({ workspace_id, project_ids, user_id }: Within): WithinParams => ({
  workspace_id,
  project_ids: project_ids === 'all' ? null : JSON.stringify(project_ids),
  user_id: user_id ?? null,
});

const OPEN = `
  select open_projects.id from projects as open_projects
  where open_projects.workspace_id = :workspace_id
    and (open_projects.owner_id is null or open_projects.owner_id = :user_id)`;

/** The condition that this column holds the id of a visible project. */
export const inProjects = ({ json, listed }: Words, column: string): string => `
    case when ${json('project_ids')} is null then ${column} in (${OPEN})
    else ${column} in ${listed('project_ids')} end`;

/**
 * The same for a statement of few rows. `in` costs each row more while the parameters are unknown: Postgres would take
 * the plan for given ones for better, and plan such a statement again at each call, which takes longer than it runs.
 */
export const inProjectsOfFew = (words: Words, column: string): string =>
  words.dialect === 'sqlite'
    ? inProjects(words, column)
    : `
    case when ${column} = any (
      case when ${words.json('project_ids')} is null then array(${OPEN}) else array${words.listed('project_ids')} end
    ) then true else false end`;

/** The condition that a row of `work_items` has this id and is visible. */
export const itemWithin = (words: Words): string => `
  work_items.id = :id and work_items.workspace_id = :workspace_id and ${inProjects(words, 'work_items.project_id')}`;
