import type { ProjectId, UserId, WorkspaceId } from '#domain/ids';
import type { Label, Project, State, TodoList } from '#domain/project';
import { fromStart, LIMIT, type Position } from '#store/sql/page';
import { memberReads, memberWrites } from '#store/sql/repositories/members';
import { keepKey, retired } from '#store/sql/repositories/project-keys';
import { partWrites } from '#store/sql/repositories/project-parts';
import { projectContents, projectRemoval } from '#store/sql/repositories/project-removal';
import { repoReads, repoWrites } from '#store/sql/repositories/repos';
import { change, insertion, named } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { StoredProject } from '#store/sql/tables';
import { inProjects, type WithinParams, withinParams } from '#store/sql/within';
import type { Reads, Transaction } from '#store/store';

interface OneProject {
  readonly workspace_id: WorkspaceId;
  readonly id: ProjectId;
}

const COLUMNS = [
  'id',
  'workspace_id',
  'kind',
  'owner_id',
  'name',
  'card_guide',
  'completion_gate',
  'key',
  'require_green',
  'retry_red',
  'merge_mode',
  'merge_message',
  'delete_branch',
  'created_at',
] as const satisfies readonly (keyof Project)[];

const STATE_COLUMNS = [
  'id',
  'project_id',
  'slug',
  'name',
  'state_group',
  'position',
] as const satisfies readonly (keyof State)[];

export const LABEL_COLUMNS = [
  'id',
  'project_id',
  'name',
  'color',
  'created_at',
] as const satisfies readonly (keyof Label)[];

const SELECT = `select ${named(COLUMNS)} from projects where workspace_id = :workspace_id`;

const find = statement<OneProject, StoredProject>(`${SELECT} and id = :id`);

const list = statement<Pick<OneProject, 'workspace_id'> & Position<ProjectId>, StoredProject>(`
  ${SELECT} and id > :after
    and not exists (select 1 from app_users where app_users.user_id = projects.owner_id)
  order by id ${LIMIT}`);

const open = statement<WithinParams & Position<ProjectId>, StoredProject>(
  (words) => `${SELECT} and id > :after and ${inProjects(words, 'id')} order by id ${LIMIT}`,
);

const states = statement<OneProject, State>(`
  select ${named(STATE_COLUMNS, 'states')} from states join projects on projects.id = states.project_id
  where projects.workspace_id = :workspace_id and projects.id = :id
  order by states.position`);

const firstState = (group: string): string =>
  `(select id from states where project_id = projects.id and state_group = '${group}' order by position limit 1)`;

const LIST = `
  projects.workspace_id, projects.id as project_id,
  ${firstState('unstarted')} as pending_state_id, ${firstState('completed')} as completed_state_id`;

const OWNED = "join projects on projects.owner_id = users.id and projects.kind = 'personal'";

const todoList = statement<{ readonly workspace_id: WorkspaceId; readonly owner_id: UserId }, TodoList>(`
  select ${LIST} from users ${OWNED}
  where users.id = :owner_id and users.workspace_id = :workspace_id and users.status = 'active'`);

type OwnedList = TodoList & { readonly owner_id: UserId };

/** The todo lists of these users. */
export const todoLists = statement<{ readonly users: string }, OwnedList>(
  ({ tableOf }) => `
    select users.id as owner_id, ${LIST} from ${tableOf('users', 'named')} join users on users.id = named.value ${OWNED}
    where users.status = 'active' and projects.workspace_id = users.workspace_id`,
);

/** The key under which a todo list is remembered. */
export const listName = (workspace_id: WorkspaceId, owner_id: UserId): string => `todos ${workspace_id} ${owner_id}`;

const insert = statement<StoredProject, never>(`
  insert into projects (${named(COLUMNS)}, number)
  values (${COLUMNS.map((name) => `:${name}`).join(', ')}, (select coalesce(max(number), 0) + 1 from projects))`);

const update = change(
  'projects',
  ['workspace_id', 'id'],
  COLUMNS.filter((name) => !['id', 'workspace_id', 'kind', 'owner_id', 'created_at'].includes(name)),
);

const keyOwner = statement<Pick<Project, 'workspace_id' | 'key'>, StoredProject>(`
  select ${named(COLUMNS, 'projects')} from project_keys join projects on projects.id = project_keys.project_id
  where project_keys.workspace_id = :workspace_id and project_keys.key = :key`);

const keys = statement<OneProject, { readonly key: string }>(
  'select key from project_keys where workspace_id = :workspace_id and project_id = :id order by key',
);

const insertState = insertion('states', STATE_COLUMNS);

const labels = statement<OneProject, Label>(`
  select ${named(LABEL_COLUMNS, 'labels')} from labels join projects on projects.id = labels.project_id
  where projects.workspace_id = :workspace_id and projects.id = :id
  order by lower(labels.name)`);

const insertLabel = insertion('labels', LABEL_COLUMNS);

const toProject = (row: StoredProject): Project => ({
  ...row,
  require_green: row.require_green === 1,
  delete_branch: row.delete_branch === 1,
});

const stored = (project: Project): StoredProject => ({
  ...project,
  require_green: project.require_green ? 1 : 0,
  delete_branch: project.delete_branch ? 1 : 0,
});

async function writeKey(session: WriteSession, { workspace_id, id, key }: Project): Promise<void> {
  if (key !== null) await session.write(keepKey, { workspace_id, id, key });
}

export const projectReads = (session: Session): Reads['projects'] => ({
  find: async (workspace_id, id) => {
    const row = await session.get(find, { workspace_id, id });
    return row && toProject(row);
  },
  ofKey: async (workspace_id, key) => {
    const row = await session.get(keyOwner, { workspace_id, key });
    return row && toProject(row);
  },
  isRetiredKey: async (workspace_id, key) => (await session.get(retired, { workspace_id, key })) !== null,
  keys: async (workspace_id, id) => (await session.all(keys, { workspace_id, id })).map(({ key }) => key),
  list: async (workspace_id, page) =>
    (await session.all(list, { workspace_id, ...fromStart<ProjectId>(page) })).map(toProject),
  open: async (within, page) =>
    (await session.all(open, { ...withinParams(within), ...fromStart<ProjectId>(page) })).map(toProject),
  states: (workspace_id, id) => session.all(states, { workspace_id, id }),
  labels: (workspace_id, id) => session.all(labels, { workspace_id, id }),
  ...memberReads(session),
  ...repoReads(session),
  ...projectContents(session),
  todoList: (workspace_id, owner_id) => session.get(todoList, { workspace_id, owner_id }),
});

export const projectWrites = (session: WriteSession): Transaction['projects'] => ({
  ...projectReads(session),
  todoList: (workspace_id, owner_id) =>
    session.remember(listName(workspace_id, owner_id), () => session.get(todoList, { workspace_id, owner_id })),
  insert: async (project, itsStates) => {
    session.accessChanged();
    await session.write(insert, stored(project));
    await writeKey(session, project);
    for (const state of itsStates) await session.write(insertState, state);
  },
  update: async (project) => {
    session.accessChanged();
    await session.write(update, stored(project));
    await writeKey(session, project);
  },
  insertState: (state) => {
    session.accessChanged();
    return session.write(insertState, state);
  },
  insertLabel: (label) => session.write(insertLabel, label),
  ...partWrites(session),
  ...memberWrites(session),
  ...repoWrites(session),
  ...projectRemoval(session),
});
