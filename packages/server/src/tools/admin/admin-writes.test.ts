import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '#testing/world';
import { catalog } from '#tools/catalog';

interface Step {
  readonly tool: string;
  readonly input: (known: Known) => Record<string, unknown>;
  /** What the entry names: its kind, and the field that holds its id, of the answer or else of the input. */
  readonly entity: readonly [kind: string, field: string];
  readonly digests: 'after' | 'both' | 'before';
  /** What must happen before; its answer is known from then on. */
  readonly first?: (world: World) => Promise<Known>;
  /** Made by the browser that has just signed in. */
  readonly is_signed_in?: true;
}

type Known = Readonly<Record<string, unknown>>;

const SCOPES = ['issue:read'];
const PASSWORD = 'correct horse battery staple';
const TODO_SCOPES = ['todo:read', 'todo:act_as'];

/** Every write of administration, in an order in which each finds what it needs. Ids of answers are known from then on. */
const STEPS: readonly Step[] = [
  { tool: 'create_sign_in', input: () => ({}), entity: ['user', 'user_id'], digests: 'after' },
  {
    tool: 'set_first_admin',
    input: ({ key }) => ({ key, name: 'Grace', password: PASSWORD }),
    entity: ['token', 'token_id'],
    digests: 'after',
  },
  { tool: 'add_user', input: () => ({ name: 'Ada' }), entity: ['user', 'user_id'], digests: 'after' },
  {
    tool: 'update_user',
    input: ({ user_id }) => ({ user_id, role: 'admin' }),
    entity: ['user', 'user_id'],
    digests: 'both',
  },
  {
    tool: 'set_password',
    input: ({ user_id }) => ({ user_id, password: PASSWORD }),
    entity: ['user', 'user_id'],
    digests: 'after',
  },
  {
    tool: 'sign_in',
    input: () => ({ name: 'Ada', password: PASSWORD }),
    entity: ['token', 'token_id'],
    digests: 'after',
  },
  {
    tool: 'change_password',
    input: () => ({ current: PASSWORD, password: `${PASSWORD} 2` }),
    entity: ['user', 'user_id'],
    digests: 'both',
    is_signed_in: true,
  },
  {
    tool: 'end_session',
    input: ({ token_id }) => ({ browser_session_id: token_id }),
    entity: ['token', 'session_id'],
    digests: 'before',
  },
  { tool: 'block_user', input: ({ user_id }) => ({ user_id }), entity: ['user', 'user_id'], digests: 'both' },
  { tool: 'unblock_user', input: ({ user_id }) => ({ user_id }), entity: ['user', 'user_id'], digests: 'both' },
  {
    tool: 'update_workspace',
    input: () => ({ name: 'Acme' }),
    entity: ['workspace', 'workspace_id'],
    digests: 'both',
  },
  { tool: 'add_project', input: () => ({ name: 'Engine' }), entity: ['project', 'project_id'], digests: 'after' },
  {
    tool: 'update_project',
    input: ({ project_id }) => ({ project_id, name: 'Motor' }),
    entity: ['project', 'project_id'],
    digests: 'both',
  },
  {
    tool: 'add_label',
    input: ({ project_id }) => ({ project_id, name: 'Bug' }),
    entity: ['label', 'label_id'],
    digests: 'after',
  },
  {
    tool: 'update_label',
    input: ({ project_id, label_id }) => ({ project_id, label_id, name: 'Fault' }),
    entity: ['label', 'label_id'],
    digests: 'both',
  },
  {
    tool: 'remove_label',
    input: ({ project_id, label_id }) => ({ project_id, label_id }),
    entity: ['label', 'label_id'],
    digests: 'before',
  },
  {
    tool: 'add_state',
    input: ({ project_id }) => ({ project_id, name: 'Next', state_group: 'backlog' }),
    entity: ['state', 'state_id'],
    digests: 'after',
  },
  {
    tool: 'update_state',
    input: ({ project_id, state_id }) => ({ project_id, state_id, name: 'Later' }),
    entity: ['state', 'state_id'],
    digests: 'both',
  },
  {
    tool: 'remove_state',
    input: ({ project_id, state_id }) => ({ project_id, state_id }),
    entity: ['state', 'state_id'],
    digests: 'before',
  },
  {
    tool: 'add_member',
    input: ({ project_id, user_id }) => ({ project_id, user_id }),
    entity: ['project', 'project_id'],
    digests: 'after',
  },
  {
    tool: 'remove_member',
    input: ({ project_id, user_id }) => ({ project_id, user_id }),
    entity: ['project', 'project_id'],
    digests: 'before',
  },
  {
    tool: 'add_repo',
    input: ({ project_id }) => ({ project_id, path: '/repos/engine' }),
    entity: ['repo', 'repo_id'],
    digests: 'after',
  },
  {
    tool: 'update_repo',
    input: ({ repo_id }) => ({ repo_id, setup_script: 'npm ci' }),
    entity: ['repo', 'repo_id'],
    digests: 'both',
  },
  { tool: 'remove_repo', input: ({ repo_id }) => ({ repo_id }), entity: ['repo', 'repo_id'], digests: 'before' },
  {
    tool: 'create_agent',
    input: ({ user_id, project_id }) => ({ name: 'Bot', owner_id: user_id, project_ids: [project_id], scopes: SCOPES }),
    entity: ['agent', 'agent_id'],
    digests: 'after',
  },
  {
    tool: 'grant_agent',
    input: ({ agent_id, project_id }) => ({ agent_id, project_id, scopes: SCOPES, can_cancel: true }),
    entity: ['agent', 'agent_id'],
    digests: 'both',
  },
  {
    tool: 'ungrant_agent',
    input: ({ agent_id, project_id }) => ({ agent_id, project_id }),
    entity: ['agent', 'agent_id'],
    digests: 'before',
  },
  { tool: 'rotate_agent', input: ({ agent_id }) => ({ agent_id }), entity: ['agent', 'agent_id'], digests: 'both' },
  { tool: 'revoke_agent', input: ({ agent_id }) => ({ agent_id }), entity: ['agent', 'agent_id'], digests: 'both' },
  {
    tool: 'create_token',
    input: () => ({ kind: 'user', name: 'laptop', scopes: SCOPES }),
    entity: ['token', 'token_id'],
    digests: 'after',
  },
  { tool: 'revoke_token', input: ({ token_id }) => ({ token_id }), entity: ['token', 'token_id'], digests: 'both' },
  {
    tool: 'remove_user',
    input: () => ({ user_id: 'auth0|5f7c', app: 'shop' }),
    entity: ['user', 'user_id'],
    digests: 'before',
  },
  { tool: 'import_projects', input: () => ({}), entity: ['workspace', 'workspace_id'], digests: 'after' },
  {
    tool: 'remove_project',
    input: ({ project_id }) => ({ project_id, yes: true }),
    entity: ['project', 'project_id'],
    digests: 'before',
  },
  {
    tool: 'redeem_sign_in',
    first: (world) => world.ask('admin_create_sign_in', {}),
    input: ({ key }) => ({ key }),
    entity: ['token', 'token_id'],
    digests: 'after',
  },
];

const everyEntry = (world: World) => world.store.reads.audit.page(0, 1_000);

const PLACES = { after: [false, true], before: [true, false], both: [true, true] } as const;

describe('every write of administration', () => {
  it('is covered by this test', () => {
    const writes = catalog.filter(({ profile, effect }) => profile === 'admin' && effect !== 'read');

    expect(STEPS.map(({ tool }) => tool).toSorted()).toEqual(writes.map(({ name }) => name).toSorted());
  });

  it('leaves one entry, with the changed thing before and after', async () => {
    await using own = await createWorld();
    await using elsewhere = await createWorld({
      tracker: { is_local: false, projects: async () => [{ id: 'plane-1', name: 'Engine' }] },
    });
    const shop = await own.callerWith({ kind: 'service', name: 'shop', user_ids: ['*'], scopes: TODO_SCOPES });
    await own.ask('todo_list_tasks', { user_id: 'auth0|5f7c' }, shop);
    let known: Known = {};

    for (const {
      tool,
      first,
      input,
      entity: [kind, field],
      digests,
      is_signed_in = false,
    } of STEPS) {
      const world = tool === 'import_projects' ? elsewhere : own;
      if (first !== undefined) known = { ...known, ...(await first(world)) };
      const before = (await everyEntry(world)).length;
      const given = input(known);
      world.time.now += 1;
      const caller = is_signed_in ? await world.gateway.authenticate(String(known.token)) : undefined;
      const answer = await world.ask(`admin_${tool}`, given, caller);
      known = { ...known, ...answer };
      const [entry, ...others] = (await everyEntry(world)).slice(before);

      expect(others, tool).toEqual([]);
      expect(entry, tool).toMatchObject({
        action: `admin_${tool}`,
        outcome: 'ok',
        entity: kind,
        entity_id: answer[field] ?? given[field],
      });
      expect(
        [entry?.before_digest, entry?.after_digest].map((digest) => digest !== null),
        tool,
      ).toEqual(PLACES[digests]);
      expect(entry?.before_digest, tool).not.toBe(entry?.after_digest);
    }
  });

  it('leaves nothing when it is refused, except the refusal for missing rights', async () => {
    await using world = await createWorld();
    const caller = await world.callerWith({ scopes: ['todo:read'] });
    const before = (await everyEntry(world)).length;

    for (const { tool } of STEPS) await world.refuse(`admin_${tool}`, {}, caller);
    await world.refuse('admin_add_user', { name: '' });

    const entries = (await everyEntry(world)).slice(before);
    expect(entries.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual(
      STEPS.map(({ tool }) => `admin_${tool} denied`),
    );
  });

  it('keeps the digest of a thing while the thing is unchanged', async () => {
    await using world = await createWorld();
    const user_id = await world.addUser('Ada');
    await world.ask('admin_block_user', { user_id, idempotency_key: 'one' });
    await world.ask('admin_unblock_user', { user_id, idempotency_key: 'two' });

    const [added, blocked, unblocked] = await everyEntry(world);

    expect(blocked?.before_digest).toBe(added?.after_digest);
    expect(unblocked?.before_digest).toBe(blocked?.after_digest);
    expect(unblocked?.after_digest).toBe(added?.after_digest);
  });
});
