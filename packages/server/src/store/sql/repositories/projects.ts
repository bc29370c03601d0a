import type { ProjectId, UserId, WorkspaceId } from '#domain/ids';
import type { Label, Project, State, TodoList } from '#domain/project';
import { atMost, fromStart, type Position } from '#store/sql/page';
import { memberReads, memberWrites } from '#store/sql/repositories/members';
import { projectContents, projectRemoval } from '#store/sql/repositories/project-removal';
import { repoReads, repoWrites } from '#store/sql/repositories/repos';
import type { Session, WriteSession } from '#store/sql/session';
import { plainStatement, statement } from '#store/sql/statement';
import { withinParams, withinStatement } from '#store/sql/within';
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

const find = statement<OneProject>()((tables, place) =>
  tables
    .selectFrom('projects')
    .select(COLUMNS)
    .where('workspace_id', '=', place('workspace_id'))
    .where('id', '=', place('id')),
);

const list = statement<Pick<OneProject, 'workspace_id'> & Position<ProjectId>>()((tables, place) =>
  tables
    .selectFrom('projects')
    .select(COLUMNS)
    .where('workspace_id', '=', place('workspace_id'))
    .where('id', '>', place('after'))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('app_users').select('user_id').whereRef('user_id', '=', 'projects.owner_id'))),
    )
    .orderBy('id')
    .limit(atMost(place('limit'))),
);

const open = withinStatement<Position<ProjectId>, Project>(
  (inProjects) => `
    select ${COLUMNS.join(', ')} from projects
    where workspace_id = :workspace_id and id > :after and ${inProjects('id')}
    order by id limit :limit + 0`,
);

const states = statement<OneProject>()((tables, place) =>
  tables
    .selectFrom('states')
    .innerJoin('projects', 'projects.id', 'states.project_id')
    .selectAll('states')
    .where('projects.workspace_id', '=', place('workspace_id'))
    .where('projects.id', '=', place('id'))
    .orderBy('states.position'),
);

const firstState = (group: string): string =>
  `(select id from states where project_id = projects.id and state_group = '${group}' order by position limit 1)`;

const TODO_LIST = `
  select projects.workspace_id, projects.id as project_id,
    ${firstState('unstarted')} as pending_state_id, ${firstState('completed')} as completed_state_id
  from users join projects on projects.owner_id = users.id and projects.kind = 'personal'
  where users.id = :owner_id and users.workspace_id = :workspace_id and users.status = 'active'`;

const todoList = plainStatement<{ readonly workspace_id: WorkspaceId; readonly owner_id: UserId }, TodoList>({
  sqlite: TODO_LIST,
  postgres: TODO_LIST,
});

const insert = plainStatement<Project, never>(`
  insert into projects (${COLUMNS.join(', ')}, number)
  values (${COLUMNS.map((name) => `:${name}`).join(', ')}, (select coalesce(max(number), 0) + 1 from projects))`);

const update = statement<Project>()((tables, place) =>
  tables
    .updateTable('projects')
    .set({
      name: place('name'),
      card_guide: place('card_guide'),
      completion_gate: place('completion_gate'),
    })
    .where('workspace_id', '=', place('workspace_id'))
    .where('id', '=', place('id')),
);

const insertState = statement<State>()((tables, place) =>
  tables.insertInto('states').values({
    id: place('id'),
    project_id: place('project_id'),
    slug: place('slug'),
    name: place('name'),
    state_group: place('state_group'),
    position: place('position'),
  }),
);

const labels = statement<OneProject>()((tables, place) =>
  tables
    .selectFrom('labels')
    .innerJoin('projects', 'projects.id', 'labels.project_id')
    .selectAll('labels')
    .where('projects.workspace_id', '=', place('workspace_id'))
    .where('projects.id', '=', place('id'))
    .orderBy((row) => row.fn('lower', ['labels.name'])),
);

const insertLabel = statement<Label>()((tables, place) =>
  tables.insertInto('labels').values({
    id: place('id'),
    project_id: place('project_id'),
    name: place('name'),
    color: place('color'),
    created_at: place('created_at'),
  }),
);

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
