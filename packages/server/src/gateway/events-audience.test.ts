import { describe, expect, it, vi } from 'vitest';
import { mayHear } from '#domain/audience';
import type { Caller } from '#domain/caller';
import type { Event } from '#domain/event';
import { NEVER_FOR_AGENTS, PROJECT_SCOPES, type Scope } from '#domain/scope';
import { aListener } from '#testing/listener';
import { createTracker, ISSUE_SCOPES } from '#testing/tracker';
import { createWorld, type World } from '#testing/world';

type Input = Readonly<Record<string, unknown>>;

/** A change, and the question that shows whether someone may see what was changed. */
interface CheckedEvent {
  readonly name: string;
  readonly event: Event;
  readonly canRead: (caller: Caller) => Promise<boolean>;
}

const SCOPE_SETS: readonly (readonly Scope[])[] = [
  [...ISSUE_SCOPES, 'todo:read', 'execution:report'],
  [...ISSUE_SCOPES],
  [...PROJECT_SCOPES].filter(
    (scope) => !NEVER_FOR_AGENTS.has(scope) && !['issue:read', 'board:read', 'board:run'].includes(scope),
  ),
  ['board:read'],
  ['board:read', 'execution:report'],
  ['execution:report'],
  ['execution:report', 'issue:read'],
  ['todo:read'],
  ['todo:read', 'execution:report', 'issue:read', 'project:read'],
];

/** Everyone there can be: with every set of scopes, the owner, members, a guest, a stranger, agents and services. */
async function everyone(world: World, projects: Readonly<Record<'shared' | 'other', string>>) {
  const { member } = createTracker(world);
  const people = {
    owner: world.owner.user_id as string,
    member: await member(projects.shared, 'Member'),
    guest: await member(projects.shared, 'Guest', 'guest'),
    stranger: await world.addUser('Stranger'),
    admin: (await world.ask('admin_add_user', { name: 'Admin', role: 'admin' })).user_id as string,
  };
  const callers: { readonly name: string; readonly caller: Caller }[] = [{ name: 'local', caller: world.owner }];
  const add = async (name: string, token: Promise<Record<string, unknown>>): Promise<void> => {
    callers.push({ name, caller: await world.gateway.authenticate((await token).token as string) });
  };

  for (const scopes of SCOPE_SETS) {
    const named = (who: string): string =>
      `${who} with ${scopes.length > 6 ? `${scopes.length} scopes` : scopes.join(' ')}`;
    for (const [who, user_id] of Object.entries(people)) {
      await add(named(who), world.token({ user_id, scopes }));
      await add(named(`admin scope of ${who}`), world.token({ user_id, scopes: [...scopes, 'admin'] }));
    }
    for (const [who, owner_id] of Object.entries({ owner: people.owner, member: people.member })) {
      for (const project_ids of [[projects.shared], ...(who === 'owner' ? [[projects.other]] : [])]) {
        const where = project_ids[0] === projects.shared ? 'shared' : 'other';
        await add(
          named(`agent of ${who} in ${where}`),
          world.ask('admin_create_agent', { name: 'Robot', owner_id, project_ids, scopes }),
        );
      }
    }
    if (!scopes.includes('todo:read')) continue;
    const acting = [...scopes, 'todo:act_as'];
    for (const user_ids of [[people.member], ['*']]) {
      await add(named(`service for ${user_ids}`), world.token({ kind: 'service', scopes: acting, user_ids }));
    }
  }
  return { people, callers };
}

/** Makes changes of every kind, and returns how each can be seen. */
async function changes(
  world: World,
  projects: Readonly<Record<'shared' | 'other', string>>,
  everyone: readonly { readonly name: string; readonly caller: Caller }[],
) {
  const checked: CheckedEvent[] = [];
  const can = async (tool: string, input: Input, caller: Caller, holds: (answer: Input) => boolean = () => true) => {
    const answer = await world.call(tool, input, caller);
    return answer.ok && holds(answer.value);
  };
  /** A work item, wherever it is shown. */
  const canReadItem = async (id: unknown, reader: Caller): Promise<boolean> =>
    (await can('tasker_get_issue', { issue_id: id }, reader)) || can('get_task', { task_id: id }, reader);
  const canReadTodo = (id: unknown, user_id: string, reader: Caller): Promise<boolean> =>
    can('todo_list_tasks', { user_id, limit: 100 }, reader, ({ tasks }) =>
      (tasks as Input[]).some((task) => task.id === id),
    );
  const newest = async (): Promise<Event> => {
    const events = await world.store.reads.events.page({
      after: (await world.store.reads.events.head()) - 1,
      limit: 1,
    });
    const [event] = events;
    if (event === undefined) throw new Error('nothing was checked');
    return event;
  };
  const note = async (name: string, canRead: CheckedEvent['canRead']): Promise<void> =>
    void checked.push({ name, event: await newest(), canRead });
  let keys = 0;
  const key = (): string => `key ${++keys}`;

  for (const { name, caller } of everyone) {
    const run = await world.call('create_execution', { name: 'Run' }, caller);
    if (run.ok) {
      await note(`run of ${name}`, (reader) => can('get_execution', { execution_id: run.value.id }, reader));
      await world.ask('create_step', { execution_id: run.value.id, step_name: 'Step' }, caller);
      await note(`step of ${name}`, (reader) => can('list_steps', { execution_id: run.value.id }, reader));
    }
    const inShared = await world.call('create_execution', { name: 'Run', project_id: projects.shared }, caller);
    if (!inShared.ok) continue;
    await note(`run in shared of ${name}`, (reader) =>
      can('get_execution', { execution_id: inShared.value.id }, reader),
    );
  }

  for (const user_id of new Set(everyone.map(({ caller }) => caller.user_id))) {
    const { task_id } = await world.ask('todo_add_task', { user_id, title: 'Buy nails' });
    await note(
      `todo of ${user_id}`,
      async (reader) => (await canReadTodo(task_id, user_id, reader)) || canReadItem(task_id, reader),
    );
  }

  for (const [where, project_id] of Object.entries({ ...projects, inbox: world.installation.inbox_id })) {
    const { issue } = await world.ask('tasker_create_issue', { project_id, name: 'Roof', idempotency_key: key() });
    const issue_id = (issue as Input).id;
    const canRead = async (reader: Caller): Promise<boolean> =>
      (await canReadItem(issue_id, reader)) ||
      (where === 'inbox' && canReadTodo(issue_id, world.owner.user_id, reader));
    await note(`card in ${where}`, canRead);
    await world.ask('tasker_append_comment', { issue_id, comment_html: '<p>Wet</p>', idempotency_key: key() });
    await note(`comment in ${where}`, canRead);
    await world.ask('update_task', { task_id: issue_id, title: 'Wet roof' });
    await note(`task in ${where}`, canRead);
  }

  await world.addUser('New');
  await note('user', (reader) => can('admin_list_users', {}, reader));
  await world.ask('admin_add_label', { project_id: projects.shared, name: 'urgent' });
  await note('label', (reader) => can('admin_list_labels', { project_id: projects.shared }, reader));
  return checked;
}

async function anAudience() {
  const world = await createWorld();
  const { project } = createTracker(world);
  const projects = { shared: await project('Shared'), other: await project('Other') };
  const { callers } = await everyone(world, projects);
  const checked = await changes(world, projects, callers);

  /** By each rule, the events that a caller gets and cannot read, and those that it could read and does not get. */
  const mistakes = async (...rules: readonly ((caller: Caller, event: Event) => boolean)[]) => {
    const found: string[][] = rules.map(() => []);
    for (const { name, caller } of callers) {
      for (const { name: what, event, canRead } of checked) {
        const isReadable = await canRead(caller);
        for (const [i, hears] of rules.entries()) {
          if (hears(caller, event) === isReadable) continue;
          found[i]?.push(`${name} | ${what}: ${isReadable ? 'misses what it can read' : 'hears what it cannot read'}`);
        }
      }
    }
    return found;
  };
  return { world, callers, checked, mistakes, [Symbol.asyncDispose]: () => world.store.close() };
}

describe('the readers of an event', () => {
  it('are the callers who can read the thing through the tools, for every caller and kind of thing', async () => {
    await using audience = await anAudience();

    const [mistakes, ofATwinThatTellsAll, ofATwinThatTellsNothing] = await audience.mistakes(
      mayHear,
      () => true,
      () => false,
    );

    expect(mistakes?.slice(0, 10)).toEqual([]);
    expect(ofATwinThatTellsAll?.length).toBeGreaterThan(1_000);
    expect(ofATwinThatTellsNothing?.length).toBeGreaterThan(1_000);
  });

  it('are decided per follower: a stream holds only what its caller may read', async () => {
    await using audience = await anAudience();
    const { world, callers, checked } = audience;
    const head = await world.store.reads.events.head();

    const heard = await Promise.all(
      callers.map(async ({ caller }) => {
        const listener = await aListener(world.gateway, caller, { after: '0' });
        await vi.waitFor(() => {
          listener.mark();
          expect(Number(listener.lastId())).toBe(head);
        });
        listener.stop();
        return new Set(listener.changes().map(({ id }) => Number(id)));
      }),
    );

    const wrong = callers.flatMap(({ name, caller }, i) =>
      checked
        .filter(({ event }) => heard[i]?.has(event.seq) !== mayHear(caller, event))
        .map(({ name: what }) => `${name} | ${what}`),
    );
    expect(wrong.slice(0, 10)).toEqual([]);
  });
});
