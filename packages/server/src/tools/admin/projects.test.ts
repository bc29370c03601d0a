import { describe, expect, it } from 'vitest';
import type { LabelId, ProjectId, StateId, WorkspaceId } from '#domain/ids';
import { createWorld, type World } from '#testing/world';

const aProject = async (world: World, name = 'Engine'): Promise<string> =>
  (await world.ask('admin_add_project', { name })).project_id as string;

type Rows = readonly Record<string, unknown>[];

describe('a project', () => {
  it('has its creator as a member, with no higher role than in the workspace', async () => {
    await using world = await createWorld();
    const ada = await world.addUser('Ada');
    const admin = await world.callerWith({ user_id: ada, scopes: ['admin'] });

    const ours = await aProject(world);
    const { project_id: hers } = await world.ask('admin_add_project', { name: 'Hers' }, admin);

    const membersOf = async (project_id: unknown) => (await world.ask('admin_list_members', { project_id })).members;
    expect(await membersOf(ours)).toMatchObject([{ user_id: world.owner.user_id, role: 'admin' }]);
    expect(await membersOf(hers)).toMatchObject([{ user_id: ada, role: 'member', status: 'active' }]);
  });

  it('keeps no invisible characters, and no name made of them', async () => {
    await using world = await createWorld();
    const { project_id } = await world.ask('admin_add_project', { name: 'En\u200bgine\u202e', card_guide: 'a\u2060b' });

    const { name } = await world.ask('admin_update_project', { project_id, completion_gate: 'none' });
    const kept = await world.store.reads.projects.find(world.owner.workspace_id, project_id as never);
    const unseen = await world.refuse('admin_add_label', { project_id, name: '\u200b \u2060' });

    expect([name, kept?.name, kept?.card_guide]).toEqual(['Engine', 'Engine', 'ab']);
    expect(unseen).toMatchObject({ code: 'validation_error', message: expect.stringContaining('name') });
  });

  it('is not imported from a tracker that is Errand itself', async () => {
    await using world = await createWorld();

    const refused = await world.refuse('admin_import_projects', {});

    expect(refused).toMatchObject({ code: 'validation_error', hint: expect.stringContaining('project add') });
  });

  it('is imported from another tracker under its own id, once, with the importer as a member', async () => {
    const found = [
      { id: 'plane-1', name: 'En\u200bgine' },
      { id: 'plane-2', name: 'x'.repeat(300) },
      { id: 'y'.repeat(201), name: 'Has an id that nobody could grant' },
    ];
    await using world = await createWorld({ tracker: { is_local: false, projects: async () => found } });

    const first = await world.ask('admin_import_projects', {});
    const second = await world.ask('admin_import_projects', {});
    const { members } = await world.ask('admin_list_members', { project_id: 'plane-1' });

    expect(first).toMatchObject({
      imported: [
        { project_id: 'plane-1', name: 'Engine' },
        { project_id: 'plane-2', name: 'x'.repeat(100) },
      ],
      known: 0,
    });
    expect(second).toMatchObject({ imported: [], known: 2 });
    expect(members).toMatchObject([{ user_id: world.owner.user_id, role: 'admin' }]);
  });

  it('has the states and labels of its tracker, when that is another system', async () => {
    await using world = await createWorld({ tracker: { is_local: false } });
    const project_id = await aProject(world);

    const label = await world.refuse('admin_add_label', { project_id, name: 'Bug' });
    const state = await world.refuse('admin_add_state', { project_id, name: 'Next', state_group: 'started' });

    expect([label.code, state.code]).toEqual(['validation_error', 'validation_error']);
  });

  it('shows its tracker’s data, when that is another system, and a todo list Errand’s own', async () => {
    await using world = await createWorld({
      tracker: {
        is_local: false,
        states: async () => [
          { id: 's1', name: 'In progress', group: 'started' },
          { id: 's2', name: 'in-progress', group: 'completed' },
        ],
        labels: async () => [{ id: 'l1', name: 'Bug', color: '#d73a4a' }],
      },
    });
    const project_id = await aProject(world);
    const inbox = { project_id: world.installation.inbox_id };

    const { states } = await world.ask('admin_list_states', { project_id });
    const { labels } = await world.ask('admin_list_labels', { project_id });
    const own = await world.ask('admin_list_states', inbox);

    expect(states).toEqual([
      { state_id: 's1', slug: 'inprogress', name: 'In progress', state_group: 'started' },
      { state_id: 's2', slug: 'inprogress2', name: 'in-progress', state_group: 'completed' },
    ]);
    expect(labels).toEqual([{ label_id: 'l1', name: 'Bug', color: '#d73a4a' }]);
    expect((own.states as Rows).map(({ slug }) => slug)).toContain('todo');
    expect((await world.ask('admin_list_labels', inbox)).labels).toEqual([]);
  });

  it('has no more than 500 labels and 50 states', async () => {
    await using world = await createWorld();
    const project_id = (await aProject(world)) as ProjectId;
    await world.store.transaction(async ({ projects, now }) => {
      for (let n = 1; n < 500; n++) {
        await projects.insertLabel({ id: `l${n}` as LabelId, project_id, name: `l${n}`, color: null, created_at: now });
      }
      for (let n = 6; n < 50; n++) {
        const state = { slug: `s${n}`, name: `s${n}`, state_group: 'started', position: n } as const;
        await projects.insertState({ ...state, id: `s${n}` as StateId, project_id });
      }
    });
    const label = (name: string) => ({ project_id, name });
    const state = (name: string) => ({ project_id, name, state_group: 'started' });

    await world.ask('admin_add_label', label('Last'));
    await world.ask('admin_add_state', state('Last'));
    const refused = [
      await world.refuse('admin_add_label', label('One more')),
      await world.refuse('admin_add_state', state('One more')),
    ];

    expect(refused).toMatchObject([
      { code: 'conflict', message: expect.stringContaining('500 labels') },
      { code: 'conflict', message: expect.stringContaining('50 states') },
    ]);
  });
});

describe('labels', () => {
  it('have names that differ within their project, in more than case', async () => {
    await using world = await createWorld();
    const [project_id, other] = [await aProject(world), await aProject(world, 'Other')];

    const { label_id } = await world.ask('admin_add_label', { project_id, name: 'Bug', color: '#D73A4A' });
    await world.ask('admin_add_label', { project_id: other, name: 'Bug' });
    const codes = [
      await world.refuse('admin_add_label', { project_id, name: ' bUG ' }),
      await world.refuse('admin_add_label', { project_id, name: 'Red', color: 'red' }),
      await world.refuse('admin_add_label', { project_id: 'none', name: 'Bug' }),
      await world.refuse('admin_list_labels', { project_id: 'none' }),
    ].map(({ code }) => code);

    expect(codes).toEqual(['conflict', 'validation_error', 'not_found', 'not_found']);
    expect(await world.ask('admin_list_labels', { project_id })).toEqual({
      labels: [{ label_id, name: 'Bug', color: '#d73a4a' }],
    });
  });

  it('are listed in parts', async () => {
    await using world = await createWorld();
    const project_id = await aProject(world);
    for (const name of ['C', 'A', 'B']) await world.ask('admin_add_label', { project_id, name });

    const first = await world.ask('admin_list_labels', { project_id, limit: 2 });
    const second = await world.ask('admin_list_labels', { project_id, limit: 2, cursor: first.next_cursor });

    expect([first.labels, second.labels].map((labels) => (labels as Rows).map(({ name }) => name))).toEqual([
      ['C', 'A'],
      ['B'],
    ]);
    expect(second.next_cursor).toBeUndefined();
  });
});

describe('states', () => {
  it('come after the others, with their own slug', async () => {
    await using world = await createWorld();
    const project_id = await aProject(world);
    const add = async (name: string, state_group = 'started') =>
      (await world.ask('admin_add_state', { project_id, name, state_group })).slug;

    const slugs = [await add('In-Progress!'), await add('待办'), await add('???'), await add('Won’t do', 'cancelled')];
    const taken = await world.refuse('admin_add_state', { project_id, name: 'in PROGRESS', state_group: 'started' });
    const { states } = await world.ask('admin_list_states', { project_id });

    expect(slugs).toEqual(['inprogress2', '待办', 'state', 'wontdo']);
    expect(taken.code).toBe('conflict');
    expect((states as Rows).map(({ slug }) => slug)).toEqual([
      'todo',
      'inprogress',
      'inreview',
      'done',
      'cancelled',
      ...slugs,
    ]);
    expect((states as Rows).at(-1)).toMatchObject({ name: 'Won’t do', state_group: 'cancelled' });
  });
});

describe('members', () => {
  it('are active users of the workspace, no higher than there', async () => {
    await using world = await createWorld();
    const project_id = await aProject(world);
    const [ada, bob] = [await world.addUser('Ada'), await world.addUser('Bob')];
    await world.ask('admin_block_user', { user_id: bob });

    await world.ask('admin_add_member', { project_id, user_id: ada, role: 'guest' });
    await world.ask('admin_add_member', { project_id, user_id: ada });
    const codes = [
      await world.refuse('admin_add_member', { project_id, user_id: ada, role: 'admin' }),
      await world.refuse('admin_add_member', { project_id, user_id: bob }),
      await world.refuse('admin_add_member', { project_id, user_id: 'nobody' }),
      await world.refuse('admin_add_member', { project_id: 'none', user_id: ada }),
    ].map(({ code }) => code);
    const { members } = await world.ask('admin_list_members', { project_id });

    expect(codes).toEqual(['validation_error', 'validation_error', 'not_found', 'not_found']);
    expect((members as Rows).map(({ name, role }) => `${name}:${role}`)).toEqual(['owner:admin', 'Ada:member']);
  });

  it('reach the project from when they are added until they are removed', async () => {
    await using world = await createWorld();
    const project_id = await aProject(world);
    const user_id = await world.addUser('Ada');
    const { token } = await world.token({ user_id, scopes: ['issue:read'] });
    const reaches = async () => {
      const { reach } = await world.gateway.authenticate(token as string);
      return reach instanceof Map && reach.has(project_id);
    };

    const before = await reaches();
    await world.ask('admin_add_member', { project_id, user_id });
    const during = await reaches();
    await world.ask('admin_remove_member', { project_id, user_id });
    const after = await reaches();
    const again = await world.refuse('admin_remove_member', { project_id, user_id });

    expect([before, during, after]).toEqual([false, true, false]);
    expect(again.code).toBe('not_found');
  });

  it('take the grants of their agents with them when they are removed', async () => {
    await using world = await createWorld();
    const bob = await world.addUser('Bob');
    const project_id = (await world.ask('admin_add_project', { name: 'Site' })).project_id as string;
    const other = (await world.ask('admin_add_project', { name: 'Shop' })).project_id as string;
    await world.ask('admin_add_member', { project_id, user_id: bob });
    const scopes = ['project:read', 'todo:read'];
    const agentOf = async (owner_id: string) =>
      (await world.ask('admin_create_agent', { name: 'robot', owner_id, project_ids: [project_id, other], scopes }))
        .agent_id;
    const [his, mine] = [await agentOf(bob), await agentOf(world.owner.user_id)];
    const grants = async (agent_id: unknown) => (await world.ask('admin_show_agent', { agent_id })).grants;

    await world.ask('admin_remove_member', { project_id, user_id: bob });

    expect(await grants(his)).toMatchObject([{ project_id: other }]);
    expect(await grants(mine)).toHaveLength(2);
  });

  it('who are guests read and comment, whatever their token holds', async () => {
    await using world = await createWorld();
    const bob = await world.addUser('Bob');
    const project_id = (await world.ask('admin_add_project', { name: 'Site' })).project_id as string;
    const scopes = ['project:read', 'issue:read', 'issue:create', 'issue:comment'];
    const create = async (idempotency_key: string) => {
      const caller = await world.callerWith({ user_id: bob, scopes });
      return world.call('tasker_create_issue', { project_id, name: 'x', idempotency_key }, caller);
    };

    await world.ask('admin_add_member', { project_id, user_id: bob, role: 'guest' });
    const asGuest = await create('k1');
    const seen = await world.call(
      'tasker_get_project_context',
      { project_id },
      await world.callerWith({ user_id: bob, scopes }),
    );
    await world.ask('admin_add_member', { project_id, user_id: bob, role: 'member' });

    expect(asGuest).toMatchObject({ ok: false, error: { code: 'insufficient_scope' } });
    expect(seen.ok).toBe(true);
    expect((await create('k2')).ok).toBe(true);
  });

  it('of a todo list are its user alone', async () => {
    await using world = await createWorld();
    const user_id = await world.addUser('Ada');
    const project_id = world.installation.inbox_id;

    const added = await world.refuse('admin_add_member', { project_id, user_id });
    const removed = await world.refuse('admin_remove_member', { project_id, user_id: world.owner.user_id });
    const { members } = await world.ask('admin_list_members', { project_id });

    expect([added.code, removed.code]).toEqual(['validation_error', 'validation_error']);
    expect((members as Rows).map(({ name }) => name)).toEqual(['owner']);
  });
});

describe('the workspace', () => {
  it('has a name and a guide for every agent', async () => {
    await using world = await createWorld();

    const fresh = await world.ask('admin_show_workspace', {});
    await world.ask('admin_update_workspace', { guide: 'Write in English.' });
    const named = await world.ask('admin_update_workspace', { name: 'Acme' });
    const cleared = await world.ask('admin_update_workspace', { guide: '' });
    const nothing = await world.refuse('admin_update_workspace', {});

    const { workspace_id, user_id } = world.owner;
    expect(fresh).toEqual({ workspace_id, user_id, name: 'Workspace', guide: null, members: 'here' });
    expect(named).toMatchObject({ name: 'Acme', guide: 'Write in English.' });
    expect(cleared).toMatchObject({ name: 'Acme', guide: null });
    expect(nothing.code).toBe('validation_error');
  });

  it('is shown to no user of another, and not changed by them', async () => {
    await using world = await createWorld();
    const stranger = { ...world.owner, workspace_id: 'another' as WorkspaceId };

    const shown = await world.refuse('admin_show_workspace', {}, stranger);
    const changed = await world.refuse('admin_update_workspace', { name: 'Mine' }, stranger);

    expect([shown.code, changed.code]).toEqual(['not_found', 'not_found']);
    expect(await world.ask('admin_show_workspace', {})).toMatchObject({ name: 'Workspace' });
  });
});

describe('a second project of one name', () => {
  it('is created with a warning that names the first', async () => {
    await using world = await createWorld();
    const first = await world.ask('admin_add_project', { name: 'Website' });

    const second = await world.ask('admin_add_project', { name: 'website' });

    expect(first).not.toHaveProperty('warning');
    expect(second.warning).toContain(
      `means several projects now, so name them by id. It is also: ${first.project_id}.`,
    );
  });
});

describe('removing a project', () => {
  it('needs consent when it has tasks, and removes everything in it', async () => {
    await using world = await createWorld();
    const project_id = await aProject(world, 'Shed');
    const { task_id } = await world.ask('create_task', { project_id, title: 'Sweep' });
    await world.ask('admin_add_repo', { project_id, path: '/repos/shed' });
    await world.ask('admin_add_label', { project_id, name: 'dust' });
    await world.ask('admin_create_agent', { name: 'bot', project_ids: [project_id], scopes: ['board:read'] });

    const refused = await world.refuse('admin_remove_project', { project_id: 'Shed' });
    const removed = await world.ask('admin_remove_project', { project_id: 'Shed', yes: true });

    expect(refused).toMatchObject({
      code: 'validation_error',
      message: 'yes: Shed has 1 task, which would go with it.',
    });
    expect(removed).toEqual({ project_id, name: 'Shed', removed_tasks: 1, status: 'removed' });
    expect((await world.refuse('get_task', { task_id })).code).toBe('not_found');
    expect(await world.ask('admin_show_agent', { agent_id: 'bot' })).toMatchObject({ grants: [] });
    expect((await world.ask('admin_list_projects', {})).projects).toMatchObject([{ name: 'Inbox' }]);
    expect((await world.ask('admin_list_audit', { entity_id: project_id })).entries).toMatchObject([
      { action: 'admin_remove_project', after_digest: null },
      { action: 'admin_add_project' },
    ]);
  });

  it('leaves its key to no other project, unless it never named a task', async () => {
    await using world = await createWorld();
    const add = async (fields: Record<string, unknown>) => (await world.ask('admin_add_project', fields)).key;
    const project_id = await aProject(world, 'Shed');
    const { task_id } = await world.ask('create_task', { project_id, title: 'Sweep' });
    await world.ask('admin_update_project', { project_id, key: 'BARN' });
    await world.ask('delete_task', { task_id });
    await world.ask('admin_remove_project', { project_id });
    await world.ask('admin_remove_project', { project_id: await aProject(world, 'Attic') });

    expect([await add({ name: 'Shed' }), await add({ name: 'Attic' })]).toEqual(['SHE2', 'ATT']);
    expect(await world.refuse('admin_add_project', { name: 'Barn', key: 'BARN' })).toMatchObject({
      code: 'conflict',
      message: 'A project that was removed had the key BARN.',
    });
    for (const old of ['SHE-1', 'BARN-1']) {
      await world.ask('create_task', { project_id: 'SHE2', title: 'Another' });
      expect((await world.refuse('get_task', { task_id: old })).code).toBe('not_found');
    }
  });

  it('is refused for the todo list of a person', async () => {
    await using world = await createWorld();

    const error = await world.refuse('admin_remove_project', { project_id: 'Inbox', yes: true });

    expect(error.message).toBe('project_id: Inbox is the todo list of a person, which stays.');
  });
});
