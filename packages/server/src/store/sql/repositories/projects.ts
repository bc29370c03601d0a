import type { ProjectId, UserId, WorkspaceId } from '#domain/ids';
import type { Label, Project, State, TodoList } from '#domain/project';
import { fromStart, LIMIT, type Position } from '#store/sql/page';
import { memberReads, memberWrites } from '#store/sql/repositories/members';
import { projectContents, projectRemoval } from '#store/sql/repositories/project-removal';
import { repoReads, repoWrites } from '#store/sql/repositories/repos';
import { insertion, named } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
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

const find = statement<OneProject, Project>(`${SELECT} and id = :id`);

const list = statement<Pick<OneProject, 'workspace_id'> & Position<ProjectId>, Project>(`
  ${SELECT} and id > :after
    and not exists (select 1 from app_users where app_users.user_id = projects.owner_id)
  order by id ${LIMIT}`);

const open = statement<WithinParams & Position<ProjectId>, Project>(
  (words) => `${SELECT} and id > :after and ${inProjects(words, 'id')} order by id ${LIMIT}`,
);

const states = statement<OneProject, State>(`
  select ${named(STATE_COLUMNS, 'states')} from states join projects on projects.id = states.project_id
  where projects.workspace_id = :workspace_id and projects.id = :id
  order by states.position`);

const firstState = (group: string): string =>
  `(select id from states where project_id = projects.id and state_group = '${group}' order by position limit 1)`;

const todoList = statement<{ readonly workspace_id: WorkspaceId; readonly owner_id: UserId }, TodoList>(`
  select projects.workspace_id, projects.id as project_id,
    ${firstState('unstarted')} as pending_state_id, ${firstState('completed')} as completed_state_id
  from users join projects on projects.owner_id = users.id and projects.kind = 'personal'
  where users.id = :owner_id and users.workspace_id = :workspace_id and users.status = 'active'`);

const insert = statement<Project, never>(`
  insert into projects (${named(COLUMNS)}, number)
  values (${COLUMNS.map((name) => `:${name}`).join(', ')}, (select coalesce(max(number), 0) + 1 from projects))`);

const update = statement<Project, never>(`
  update projects set name = :name, card_guide = :card_guide, completion_gate = :completion_gate
  where workspace_id = :workspace_id and id = :id`);

const insertState = insertion('states', STATE_COLUMNS);

const labels = statement<OneProject, Label>(`
  select ${named(LABEL_COLUMNS, 'labels')} from labels join projects on projects.id = labels.project_id
  where projects.workspace_id = :workspace_id and projects.id = :id
  order by lower(labels.name)`);

const insertLabel = insertion('labels', LABEL_COLUMNS);

export const projectReads = (session: Session): Reads['projects'] => ({
  find: (workspace_id, id) => session.get(find, { workspace_id, id }),
  list: (workspace_id, page) => session.all(list, { workspace_id, ...fromStart<ProjectId>(page) }),
  open: (within, page) => session.all(open, { ...withinParams(within), ...fromStart<ProjectId>(page) }),
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
    session.remember(`todos ${workspace_id} ${owner_id}`, () => session.get(todoList, { workspace_id, owner_id })),
  insert: async (project, itsStates) => {
    session.accessChanged();
    await session.write(insert, project);
    for (const state of itsStates) await session.write(insertState, state);
  },
  update: (project) => {
    session.accessChanged();
    return session.write(update, project);
  },
  insertState: (state) => {
    session.accessChanged();
    return session.write(insertState, state);
  },
  insertLabel: (label) => session.write(insertLabel, label),
  ...memberWrites(session),
  ...repoWrites(session),
  ...projectRemoval(session),
});
