import { beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '#testing/world';

/** An agent with different rights in two projects, and none in a third. */
async function anAgent(world: World) {
  const add = async (name: string) => (await world.ask('admin_add_project', { name })).project_id as string;
  const [wide, narrow, foreign] = [await add('Wide'), await add('Narrow'), await add('Foreign')];
  const scopes = ['project:read', 'issue:read', 'issue:create', 'issue:update', 'issue:structured_blocks:write'];
  const { agent_id, token } = await world.ask('admin_create_agent', {
    name: 'robot',
    owner_id: world.owner.user_id,
    project_ids: [wide],
    scopes,
  });
  await world.ask('admin_grant_agent', { agent_id, project_id: narrow, scopes: ['project:read', 'issue:read'] });
  const caller = () => world.gateway.authenticate(token as string);
  const create = async (project_id: string, more = {}) =>
    world.call(
      'tasker_create_issue',
      { project_id, name: 'Card', idempotency_key: crypto.randomUUID(), ...more },
      await caller(),
    );
  return { wide, narrow, foreign, agent_id: agent_id as string, caller, create };
}

describe('grants', () => {
  it('[TSK-16] decide per project, with the same error for a foreign project and an unknown one', async () => {
    await using world = await createWorld();
    const { wide, narrow, foreign, create } = await anAgent(world);

    const answers = [await create(wide), await create(narrow), await create(foreign), await create('nowhere')];

    expect(answers.map((answer) => (answer.ok ? 'ok' : answer.error.code))).toEqual([
      'ok',
      'insufficient_scope',
      'project_not_granted',
      'project_not_granted',
    ]);
    const [, , other, unknown] = answers.map((answer) => (answer.ok ? null : { ...answer.error, correlation_id: '' }));
    expect(other).toEqual(unknown);
  });

  it('tell a person how to become a member, with the same words for a foreign project and an unknown one', async () => {
    await using world = await createWorld();
    const { project_id } = await world.ask('admin_add_project', { name: 'Garden' });
    const ana = await world.callerWith({ user_id: await world.addUser('Ana'), scopes: ['board:read'] });

    const refused = await world.refuse('show_board', { project_id }, ana);

    expect(refused).toMatchObject({
      code: 'project_not_granted',
      message: 'There is no such project, or you are no member of it.',
      hint: expect.stringContaining('errand member add NAME --project KEY'),
    });
    const unknown = await world.refuse('show_board', { project_id: 'NOSUCH' }, ana);
    expect({ ...unknown, correlation_id: '' }).toEqual({ ...refused, correlation_id: '' });
  });

  it('take effect at once when they are widened, narrowed or removed', async () => {
    await using world = await createWorld();
    const { narrow, agent_id, create } = await anAgent(world);

    await world.ask('admin_grant_agent', { agent_id, project_id: narrow, scopes: ['issue:create'] });
    const widened = await create(narrow);
    await world.ask('admin_ungrant_agent', { agent_id, project_id: narrow });
    const gone = await create(narrow);

    expect(widened.ok).toBe(true);
    expect(gone).toMatchObject({
      ok: false,
      error: {
        code: 'project_not_granted',
        hint: expect.stringMatching(/for the projects that it reaches\. A person .* errand agent grant/),
      },
    });
  });

  it('[TSK-02] decide which tools are listed', async () => {
    await using world = await createWorld();
    const { wide, agent_id, caller } = await anAgent(world);
    const names = async () => world.gateway.visible(await caller(), 'all').map(({ name }) => name);
    const before = await names();

    await world.ask('admin_ungrant_agent', { agent_id, project_id: wide });

    expect(before).toContain('tasker_create_issue');
    expect(await names()).toEqual([
      'tasker_list_projects',
      'tasker_list_work_reports',
      'tasker_get_project_context',
      'tasker_search_issues',
      'tasker_get_issue',
    ]);
  });

  it('are checked again before a stored answer is repeated', async () => {
    await using world = await createWorld();
    const { wide, narrow, agent_id, caller, create } = await anAgent(world);
    await world.ask('admin_grant_agent', { agent_id, project_id: narrow, scopes: ['issue:update'] });
    const made = await create(wide);
    if (!made.ok) throw new Error('no card');
    const issue_id = (made.value.issue as { id: string }).id;
    const update = { issue_id, name: 'Renamed', idempotency_key: 'k1' };
    await world.ask('tasker_update_issue', update, await caller());

    await world.ask('admin_ungrant_agent', { agent_id, project_id: wide });
    const repeated = await world.call('tasker_update_issue', update, await caller());

    expect(repeated).toMatchObject({ ok: false, error: { code: 'project_not_granted' } });
  });

  it('let a field through only with the scope that it needs', async () => {
    await using world = await createWorld();
    const { narrow, agent_id, create } = await anAgent(world);
    await world.ask('admin_grant_agent', { agent_id, project_id: narrow, scopes: ['issue:create'] });
    const detail_layout = { nodedc_structured_blocks: { version: 1, blocks: [] } };

    const answer = await create(narrow, { detail_layout });

    expect(answer).toMatchObject({
      ok: false,
      error: { code: 'insufficient_scope', details: { required_scope: 'issue:structured_blocks:write' } },
    });
  });
});

describe('an idempotency key', () => {
  it('[TSK-41] is refused while the first call with it runs, and then returns its result', async () => {
    await using world = await createWorld();
    const { wide, caller } = await anAgent(world);
    const robot = await caller();
    const create = (name: string) =>
      world.call('tasker_create_issue', { project_id: wide, name, idempotency_key: 'k1' }, robot);

    const [first, same, other] = await Promise.all([create('a'), create('a'), create('b')]);
    const later = await Promise.all([create('a'), create('a'), create('a')]);

    expect(first?.ok).toBe(true);
    expect(same).toMatchObject({ ok: false, error: { code: 'idempotency_key_in_progress', retryable: true } });
    expect(other).toMatchObject({ ok: false, error: { code: 'idempotency_key_conflict' } });
    expect(later).toEqual([first, first, first]);
  });
});

describe('a token', () => {
  it('[TSK-06] belongs to one agent: another of the same owner shares neither grants nor keys nor sessions', async () => {
    await using world = await createWorld();
    const { wide, foreign, caller } = await anAgent(world);
    const scopes = ['issue:read', 'issue:create', 'issue:comment', 'issue:structured_blocks:write'];
    const made = await world.ask('admin_create_agent', { name: 'other', project_ids: [foreign, wide], scopes });
    const other = await world.gateway.authenticate(made.token as string);
    const session = await world.ask('tasker_start_work_session', { project_id: wide, idempotency_key: 's1' }, other);
    const { id: work_session_id } = session.work_session as { id: string };
    const create = (who: typeof other, project_id: string) =>
      world.call('tasker_create_issue', { project_id, name: 'x', idempotency_key: 'k1' }, who);
    const finish = { work_session_id, summary: 'Mine', idempotency_key: 's2' };

    const robot = await caller();
    const [theirs, mine, foreigner] = [
      await create(other, wide),
      await create(robot, wide),
      await create(robot, foreign),
    ];

    expect([theirs.ok, mine.ok]).toEqual([true, true]);
    expect(mine).not.toEqual(theirs);
    expect(foreigner).toMatchObject({ ok: false, error: { code: 'project_not_granted' } });
    expect(await world.refuse('tasker_finish_work_session', finish, robot)).toMatchObject({
      code: 'insufficient_scope',
    });
    const sibling = await world.gateway.authenticate(
      (await world.ask('admin_create_agent', { name: 'third', project_ids: [wide], scopes })).token as string,
    );
    expect(await world.refuse('tasker_finish_work_session', finish, sibling)).toMatchObject({ code: 'not_found' });
  });
});

describe('a refusal', () => {
  it('of a move, or of a member who is managed elsewhere, is in the audit trail', async () => {
    await using world = await createWorld({ tracker: { is_local: false } });
    const project_id = (await world.ask('admin_add_project', { name: 'Site' })).project_id as string;
    const { token } = await world.ask('admin_create_agent', {
      name: 'robot',
      project_ids: [project_id],
      scopes: ['project:read', 'issue:create', 'project:member:add_existing'],
    });
    const robot = await world.gateway.authenticate(token as string);
    const { states } = await world.ask('tasker_get_project_context', { project_id }, robot);
    const done = (states as { id: string; group: string }[]).find(({ group }) => group === 'completed')?.id;
    const create = { project_id, name: 'x', state_id: done, idempotency_key: 'k1' };
    const add = { project_id, user_id: world.owner.user_id, idempotency_key: 'k2' };

    const codes = [
      (await world.refuse('tasker_create_issue', create, robot)).code,
      (await world.refuse('tasker_add_existing_project_member', add, robot)).code,
    ];

    expect(codes).toEqual(['move_not_granted', 'membership_managed_externally']);
    const denied = (await world.store.reads.audit.page(0, 100)).filter(({ outcome }) => outcome === 'denied');
    expect(denied.map(({ action }) => action)).toEqual(['tasker_create_issue', 'tasker_add_existing_project_member']);
  });

  it('says whether the token or a grant lacks the scope', async () => {
    await using world = await createWorld();
    const { wide, agent_id, caller, create } = await anAgent(world);

    await world.ask('admin_grant_agent', { agent_id, project_id: wide, scopes: ['issue:read'] });
    const granted_nowhere = await create(wide);
    const not_held = await world.refuse('todo_list_tasks', { user_id: 'me' }, await caller());

    expect(granted_nowhere).toMatchObject({
      ok: false,
      error: { hint: expect.stringContaining('errand agent grant') },
    });
    expect(not_held.hint).toContain('the person who made the token');
  });

  it('keeps the target and the key in the audit trail', async () => {
    await using world = await createWorld();
    const { foreign, wide, caller } = await anAgent(world);
    const card = (await world.ask('tasker_create_issue', { project_id: foreign, name: 'x', idempotency_key: 'k0' }))
      .issue;
    const issue_id = (card as { id: string }).id;
    const robot = await caller();
    const reporter = await world.ask('admin_create_agent', {
      name: 'reporter',
      project_ids: [wide],
      scopes: ['issue:comment'],
    });

    await world.refuse('tasker_update_issue', { issue_id, name: 'y', idempotency_key: 'k1' }, robot);
    await world.refuse('tasker_create_issue', { project_id: foreign, name: 'y', idempotency_key: 'k2' }, robot);
    await world.refuse('tasker_create_issue', { project_id: wide, name: '', idempotency_key: 'k3' }, robot);
    const session = { project_id: wide, issue_id, idempotency_key: 'k4' };
    await world.refuse(
      'tasker_start_work_session',
      session,
      await world.gateway.authenticate(reporter.token as string),
    );
    const hostile = { project_id: 'x\0', issue_id: { toString: 'no' }, idempotency_key: 7 };
    await world.refuse('tasker_append_comment', hostile, robot);

    const denied = (await world.store.reads.audit.page(0, 100)).filter(({ outcome }) => outcome === 'denied');
    expect(denied).toMatchObject([
      { action: 'tasker_update_issue', entity: 'work_item', entity_id: issue_id, idempotency_key: 'k1' },
      { action: 'tasker_create_issue', entity: 'project', entity_id: foreign, idempotency_key: 'k2' },
      { action: 'tasker_start_work_session', entity: 'work_item', entity_id: issue_id, idempotency_key: 'k4' },
      { action: 'tasker_append_comment', entity: null, entity_id: null, idempotency_key: null },
    ]);
  });

  it('keeps no token that was sent as a key or as an instruction', async () => {
    await using world = await createWorld();
    const { wide, caller } = await anAgent(world);
    const { token } = await world.token({});
    const create = { project_id: wide, name: 'x', idempotency_key: `for ${token}` };

    const asKey = await world.refuse('tasker_create_issue', create, await caller());
    await world.refuse('tasker_append_comment', { ...create, issue_id: 'x' }, await caller());
    const user_id = await world.addUser('Ann');
    await world.ask('tasker_add_existing_project_member', {
      project_id: wide,
      user_id,
      instruction_ref: `asked\u200b by Bearer ${token}`,
      idempotency_key: 'k1',
    });

    const asId = await world.refuse('tasker_get_issue', { issue_id: String(token).slice(0, 60) }, await caller());

    const trail = await world.store.reads.audit.page(0, 100);
    expect(asId.message).toContain('No issue [redacted]');
    expect(asKey.code).toBe('validation_error');
    expect(JSON.stringify(trail)).not.toContain(token);
    expect(trail.find(({ instruction_ref }) => instruction_ref !== null)?.instruction_ref).toBe('asked by [redacted]');
  });
});

describe('people and services', () => {
  let world: World;
  let project_id: string;
  beforeAll(async () => {
    world = await createWorld();
    project_id = (await world.ask('admin_add_project', { name: 'Team' })).project_id as string;
    return () => world.store.close();
  });

  const scopes = ['issue:read', 'issue:create', 'project:read'];
  const listed = async (fields: Record<string, unknown>) => {
    const caller = await world.callerWith({ scopes, ...fields });
    const { projects } = await world.ask('tasker_list_projects', {}, caller);
    return (projects as { id: string }[]).map(({ id }) => id);
  };

  it('reach the projects that they belong to, and an admin all of them', async () => {
    const user_id = await world.addUser('Bob');
    const before = await listed({ user_id });

    await world.ask('admin_add_member', { user_id, project_id });
    const after = await listed({ user_id });

    expect(before).not.toContain(project_id);
    expect(after).toContain(project_id);
    expect(await listed({ user_id: world.owner.user_id })).toContain(project_id);
  });

  it('never see another user’s todo list, as an admin, as an agent or by a grant', async () => {
    const bob = await world.addUser('Bob');
    const asBob = await world.callerWith({ user_id: bob, scopes: ['todo:write', 'project:read'] });
    const { task_id } = await world.ask('todo_add_task', { user_id: 'me', title: 'Surprise party' }, asBob);
    const [{ id: list }] = (await world.ask('tasker_list_projects', {}, asBob)).projects as [{ id: string }];

    const search = await world.ask('tasker_search_issues', { query: 'surprise' });
    const everything = await world.ask('tasker_search_issues', { query: '', limit: 100 });
    const refused = [
      await world.refuse('tasker_get_issue', { issue_id: task_id }),
      await world.refuse('tasker_get_project_context', { project_id: list }),
      await world.refuse('admin_create_agent', { name: 'spy', project_ids: [list], scopes: ['issue:read'] }),
    ].map(({ code }) => code);

    expect(search.issues).toEqual([]);
    expect(JSON.stringify(everything)).not.toContain('Surprise');
    expect(refused).toEqual(['not_found', 'not_found', 'validation_error']);
    expect(await listed({ user_id: world.owner.user_id })).not.toContain(list);
  });

  it('see their own todo list', async () => {
    const { task_id } = await world.ask('todo_add_task', { user_id: 'me', title: 'Mine alone' });

    const { issues } = await world.ask('tasker_search_issues', { query: 'mine alone' });
    const everything = await world.ask('tasker_search_issues', { query: '', limit: 100 });

    expect(issues).toMatchObject([{ id: task_id }]);
    expect(JSON.stringify(everything)).toContain('Mine alone');
  });

  it('that act for others reach no project', async () => {
    const service = await world.callerWith({ kind: 'service', user_ids: ['*'], scopes });

    expect(world.gateway.visible(service, 'tasker')).toEqual([]);
  });
});
