import { randomUUID } from 'node:crypto';

/** The columns of a work item, in the order in which `values` gives them. */
export const COLUMNS = [
  'id',
  'workspace_id',
  'project_id',
  'owner_id',
  'state_id',
  'title',
  'priority',
  'sort_order',
  'version',
  'created_at',
  'updated_at',
] as const;

/** The owner of the todo list that is written to. */
export interface Home {
  readonly workspace_id: string;
  readonly project_id: string;
  readonly owner_id: string;
  readonly state_id: string;
}

export const HOME_QUERY = `select p.workspace_id, p.id as project_id, p.owner_id, s.id as state_id
  from projects p join states s on s.project_id = p.id
  where p.kind = 'personal' and s.slug = 'todo' order by p.id desc limit 1`;

export function values({ workspace_id, project_id, owner_id, state_id }: Home, title: string): (string | number)[] {
  const now = Date.now();
  return [randomUUID(), workspace_id, project_id, owner_id, state_id, title, 'none', now, 1, now, now];
}
