import type { ProjectId, UserId, WorkspaceId } from '#domain/ids';
import type { Project, Repo, State, TodoList } from '#domain/project';
import { atMost, fromStart, type Position } from '#store/sql/page';
import type { Session, WriteSession } from '#store/sql/session';
import { plainStatement, statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';

interface OneProject {
  readonly workspace_id: WorkspaceId;
  readonly id: ProjectId;
}

const find = statement<OneProject>()((tables, place) =>
  tables
    .selectFrom('projects')
    .selectAll()
    .where('workspace_id', '=', place('workspace_id'))
    .where('id', '=', place('id')),
);

const list = statement<Pick<OneProject, 'workspace_id'> & Position<ProjectId>>()((tables, place) =>
  tables
    .selectFrom('projects')
    .selectAll()
    .where('workspace_id', '=', place('workspace_id'))
    .where('id', '>', place('after'))
    .orderBy('id')
    .limit(atMost(place('limit'))),
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

const repos = statement<OneProject>()((tables, place) =>
  tables
    .selectFrom('repos')
    .innerJoin('projects', 'projects.id', 'repos.project_id')
    .selectAll('repos')
    .where('projects.workspace_id', '=', place('workspace_id'))
    .where('projects.id', '=', place('id'))
    .orderBy('repos.id'),
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

const insert = statement<Project>()((tables, place) =>
  tables.insertInto('projects').values({
    id: place('id'),
    workspace_id: place('workspace_id'),
    kind: place('kind'),
    owner_id: place('owner_id'),
    name: place('name'),
    card_guide: place('card_guide'),
    created_at: place('created_at'),
  }),
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

const insertRepo = statement<Repo>()((tables, place) =>
  tables.insertInto('repos').values({
    id: place('id'),
    project_id: place('project_id'),
    name: place('name'),
    path: place('path'),
    target_branch: place('target_branch'),
    created_at: place('created_at'),
  }),
);

export const projectReads = (session: Session): Reads['projects'] => ({
  find: (workspace_id, id) => session.get(find, { workspace_id, id }),
  list: (workspace_id, page) => session.all(list, { workspace_id, ...fromStart<ProjectId>(page) }),
  states: (workspace_id, id) => session.all(states, { workspace_id, id }),
  repos: (workspace_id, id) => session.all(repos, { workspace_id, id }),
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
  insertRepo: (repo) => session.write(insertRepo, repo),
});
