import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createBoardWorld } from '#testing/board';
import { createWorld, type World } from '#testing/world';

type Entry = Readonly<Record<string, unknown>>;

const listed = async (world: World, filter: object = {}): Promise<readonly Entry[]> =>
  (await world.ask('admin_list_audit', filter)).entries as readonly Entry[];

interface Exported {
  readonly seq: number;
  readonly prev_hash: string;
  readonly hash: string;
  readonly hashed: string | null;
  readonly entry: Entry | null;
}

interface Part {
  readonly entries: readonly Exported[];
  readonly next_after?: number;
  readonly head?: { readonly seq: number; readonly hash: string } | null;
}

/** Every part of the export. */
async function exported(world: World, limit: number): Promise<readonly Part[]> {
  const parts: Part[] = [];
  let after: number | undefined;
  do {
    // The tool's own schema vouches for the form.
    const part = (await world.ask('admin_export_audit', { after, limit })) as unknown as Part;
    parts.push(part);
    after = part.next_after;
  } while (after !== undefined);
  return parts;
}

describe('the list of the audit trail', () => {
  it('calls tasks and attempts by their keys, with the title of the task', async () => {
    await using board = await createBoardWorld();
    const { world, attempt, task } = board;
    const task_id = await task({ title: 'Fix the login' });
    const { id: attempt_id } = await attempt(task_id, { sessions: ['claude'] });
    await world.ask('update_task', { task_id, title: 'Mend the login' });
    await world.ask('send_message', { attempt_id, text: 'Mind the tests' });

    const [sent, changed] = await listed(world);

    expect(sent).toMatchObject({ action: 'send_message', entity_title: 'Mend the login' });
    expect(sent?.entity_name).toMatch(/^[A-Z]+-1\.1$/);
    expect(changed).toMatchObject({ action: 'update_task', entity_title: 'Mend the login' });
    expect(changed?.entity_name).toMatch(/^[A-Z]+-1$/);
  });

  it('has the words of a message, and of a question with its answer, also of one about a task alone', async () => {
    await using board = await createBoardWorld();
    const { world, attempt, task, robot } = board;
    const task_id = await task({ title: 'Fix the login' });
    const { id: attempt_id } = await attempt(task_id, { sessions: ['claude'] });
    await world.ask('send_message', { attempt_id, text: 'Mind the tests' });
    const asked = await world.ask('ask_person', { task_id, question: 'Which port?', wait_ms: 0 }, robot);
    const approval_id = String(asked.approval_id);
    await world.ask('respond_approval', { approval_id, answer: '5432' });

    const entries = await listed(world);
    const of = (action: string) => entries.find((entry) => entry.action === action);

    expect(of('send_message')).toMatchObject({ entity_words: 'Mind the tests', entity_answer: null });
    expect(of('respond_approval')).toMatchObject({ entity_words: 'Which port?', entity_answer: '5432' });
    expect(of('ask_person')).toMatchObject({ entity_title: 'Fix the login', entity_words: 'Which port?' });
    expect(of('ask_person')?.entity_name).toMatch(/^[A-Z]+-1$/);
  });

  it('shows an admin the keys of what is in the todo list of another person, and none of its words', async () => {
    await using world = await createWorld();
    const user_id = await world.addUser('Ada');
    const ada = await world.callerWith({ user_id, scopes: ['todo:write', 'board:read', 'board:write', 'board:run'] });
    const { task_id } = await world.ask('todo_add_task', { user_id, title: 'Buy a ring' }, ada);
    const asked = await world.ask('ask_person', { task_id, question: 'Which size?', wait_ms: 0 }, ada);
    await world.ask('respond_approval', { approval_id: String(asked.approval_id), answer: 'Seven' }, ada);

    const entries = (await listed(world)).filter((entry) => entry.user_name === 'Ada');

    await world.refuse('get_task', { task_id });
    expect(entries.map(({ action }) => action)).toEqual(['respond_approval', 'ask_person', 'todo_add_task']);
    for (const entry of entries) expect(entry.entity_name).toMatch(/^[A-Z0-9]+-1$/);
    expect(JSON.stringify(entries)).not.toMatch(/ring|size|Seven/);
  });

  it('names users, tokens, the workspace and the parts of a project, with the key of the project', async () => {
    await using world = await createWorld();
    const { project_id } = await world.ask('admin_add_project', { name: 'Engine', key: 'ENG' });
    await world.ask('admin_add_label', { project_id, name: 'docs' });
    await world.ask('admin_add_repo', { project_id, path: '/repos/engine', target_branch: 'main' });
    await world.addUser('Ada');
    await world.token({ name: 'laptop' });
    await world.ask('admin_update_workspace', { name: 'Harbour' });

    const named = (await listed(world)).map(({ entity_name, entity_project }) => [entity_name, entity_project]);

    expect(named).toEqual([
      ['Harbour', null],
      ['laptop', null],
      ['Ada', null],
      ['engine', 'ENG'],
      ['docs', 'ENG'],
      ['Engine', 'ENG'],
    ]);
  });

  it('calls a step by its run and its own name', async () => {
    await using world = await createWorld();
    const { id: execution_id } = await world.ask('create_execution', { name: 'Fix the login' });
    await world.ask('create_step', { execution_id, step_name: 'Run the tests' });

    const [began] = await listed(world);

    expect(began).toMatchObject({ entity: 'step', entity_name: 'Fix the login', entity_title: 'Run the tests' });
  });

  it('lists what was done since a time, page by page', async () => {
    await using world = await createWorld();
    for (const name of ['Anna', 'Ben']) await world.addUser(name);
    world.time.now += 60_000;
    const since = new Date(world.time.now).toISOString();
    const before = await listed(world);
    for (const name of ['Cleo', 'Dora', 'Emil']) await world.addUser(name);

    const { entries, next_cursor: cursor } = await world.ask('admin_list_audit', { since, limit: 2 });
    const rest = await listed(world, { since, limit: 2, cursor });

    expect(entries).toHaveLength(2);
    expect(rest).toHaveLength(1);
    expect(await listed(world)).toHaveLength(before.length + 3);
    expect(await listed(world, { since: '2999-01-01T00:00:00Z' })).toEqual([]);
    expect(await listed(world, { since: '2000-01-01T00:00:00Z' })).toHaveLength(before.length + 3);
  });

  it('says who did what for whom, newest first', async () => {
    await using world = await createWorld();
    const owner_id = await world.addUser('Ada');
    const { project_id } = await world.ask('admin_add_project', { name: 'Engine' });
    const agent = await world.ask('admin_create_agent', {
      name: 'Bot',
      owner_id,
      project_ids: [project_id],
      scopes: ['todo:write'],
    });
    const bot = await world.gateway.authenticate(agent.token as string);
    await world.ask('todo_add_task', { user_id: 'me', title: 'x', idempotency_key: 'k1' }, bot);
    await world.refuse('admin_list_users', {}, bot);

    const [denied, done, created] = await listed(world);

    expect(denied).toMatchObject({
      action: 'admin_list_users',
      outcome: 'denied',
      agent_name: 'Bot',
      entity_name: null,
    });
    expect(done).toMatchObject({
      at: '2026-01-01T00:00:00.000Z',
      actor_kind: 'agent',
      agent_id: agent.agent_id,
      agent_name: 'Bot',
      user_id: owner_id,
      user_name: 'Ada',
      token_id: agent.token_id,
      action: 'todo_add_task',
      outcome: 'ok',
      idempotency_key: 'k1',
      correlation_id: expect.any(String),
    });
    expect(created).toMatchObject({
      actor_kind: 'local',
      agent_id: null,
      agent_name: null,
      entity: 'agent',
      entity_id: agent.agent_id,
      entity_name: 'Bot',
      before_digest: null,
      after_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('shows only entries that match the filter', async () => {
    await using world = await createWorld();
    const ada = await world.addUser('Ada');
    const bob = await world.addUser('Bob');
    const caller = await world.callerWith({ user_id: ada });
    await world.ask('todo_add_task', { user_id: 'me', title: 'x' }, caller);
    await world.refuse('admin_list_users', {}, caller);
    const actions = async (filter: object) => (await listed(world, filter)).map(({ action }) => action);

    const found = [
      await actions({ user_id: ada }),
      await actions({ user_id: ada, outcome: 'ok' }),
      await actions({ outcome: 'denied' }),
      await actions({ action: 'admin_add_user' }),
      await actions({ entity_id: bob }),
      await actions({ agent_id: 'none' }),
    ];

    expect(found).toEqual([
      ['admin_list_users', 'todo_add_task'],
      ['todo_add_task'],
      ['admin_list_users'],
      ['admin_add_user', 'admin_add_user'],
      ['admin_add_user'],
      [],
    ]);
  });

  it('continues while entries are added, and refuses the cursor of another filter', async () => {
    await using world = await createWorld();
    for (let i = 0; i < 7; i++) await world.addUser(`U${i}`);

    const first = await world.ask('admin_list_audit', { limit: 3 });
    await world.addUser('Later');
    const second = await world.ask('admin_list_audit', { limit: 3, cursor: first.next_cursor });
    const foreign = await world.refuse('admin_list_audit', { outcome: 'ok', cursor: first.next_cursor });

    const numbers = [first, second].map(({ entries }) => (entries as readonly Entry[]).map(({ seq }) => seq));
    expect(numbers).toEqual([
      [7, 6, 5],
      [4, 3, 2],
    ]);
    expect(foreign.code).toBe('validation_error');
  });

  it('is for administrators', async () => {
    await using world = await createWorld();
    const caller = await world.callerWith({ scopes: ['todo:read'] });

    const codes = await Promise.all(
      ['admin_list_audit', 'admin_export_audit', 'admin_verify_audit'].map(
        async (tool) => (await world.refuse(tool, {}, caller)).code,
      ),
    );

    expect(codes).toEqual(Array(3).fill('insufficient_scope'));
  });
});

describe('the export of the audit trail', () => {
  it('returns every entry once, with what others need to verify it', async () => {
    await using world = await createWorld();
    for (let i = 0; i < 5; i++) await world.addUser(`U${i}`);
    await world.ask('admin_add_user', { name: 'Zoë', idempotency_key: 'k\u200b\u202eé\n"\\\u{1F600}' });

    const parts = await exported(world, 2);

    const entries = parts.flatMap((part) => part.entries);
    let last = '0'.repeat(64);
    for (const { seq, prev_hash, hash: own, hashed } of entries) {
      const values = JSON.parse(hashed ?? '');
      expect(hash('sha256', JSON.stringify(values))).toBe(own);
      expect([values[0], values[1]]).toEqual([prev_hash, seq]);
      expect(prev_hash).toBe(last);
      last = own;
    }
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(entries.at(-1)?.entry).toMatchObject({ action: 'admin_add_user', entity: 'user' });
    expect(parts.map(({ head }) => head)).toEqual([...Array(parts.length - 1).fill(undefined), { seq: 6, hash: last }]);
  });

  it('continues while entries are added, and ends with a head that is in it', async () => {
    await using world = await createWorld();
    await world.addUser('first');
    const first = await world.ask('admin_export_audit', { limit: 1 });
    await world.addUser('second');

    const second = await world.ask('admin_export_audit', { limit: 2, after: first.next_after });

    expect(first).toMatchObject({ entries: [{ seq: 1 }], next_after: 1 });
    expect(second).toMatchObject({ entries: [{ seq: 2 }], head: { seq: 2 } });
  });

  it('shows only the positions of other workspaces’ entries', async () => {
    await using world = await createWorld();
    await world.addUser('ours');
    const [ours] = await world.store.reads.audit.page(0, 1);
    if (ours === undefined) throw new Error('no entry');
    await world.store.transaction(async (tx) => tx.record({ ...ours, workspace_id: 'theirs' as never }));

    const [part] = await exported(world, 10);
    const list = await listed(world);

    expect(part?.entries[0]).toMatchObject({ seq: 1, entry: { action: 'admin_add_user' } });
    expect(part?.entries[1]).toEqual({
      seq: 2,
      prev_hash: ours.hash,
      hash: part?.head?.hash,
      hashed: null,
      entry: null,
    });
    expect(list.map(({ seq }) => seq)).toEqual([1]);
  });
});

describe('the verification of the audit trail', () => {
  it('gives a head to note, and compares the trail with a noted one', async () => {
    await using world = await createWorld();
    await world.addUser('Ada');
    const { head } = await world.ask('admin_verify_audit', {});
    await world.addUser('Bob');

    const later = await world.ask('admin_verify_audit', { head });
    const other = await world.ask('admin_verify_audit', { head: `1:${'f'.repeat(64)}` });
    const cut = await world.ask('admin_verify_audit', { head: `9:${'f'.repeat(64)}` });
    const wrong = await world.refuse('admin_verify_audit', { head: 'x' });

    expect(head).toMatch(/^1:[0-9a-f]{64}$/);
    expect(later).toMatchObject({ intact: true, entries: 2, problem: null });
    expect(other).toMatchObject({ intact: false, first_bad_seq: 1, head: null });
    expect(cut).toMatchObject({ intact: false, first_bad_seq: 3 });
    expect(wrong.code).toBe('validation_error');
  });
});
