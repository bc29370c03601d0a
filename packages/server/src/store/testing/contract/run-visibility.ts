import { expect, it } from 'vitest';
import type { Caller } from '#domain/caller';
import type { AttemptId, ProjectId, RunId } from '#domain/ids';
import { everywhere, type Reach } from '#domain/reach';
import type { Run } from '#domain/run';
import { type RunVisibility, readableRuns } from '#domain/run-visibility';
import type { User } from '#domain/user';
import type { RunQuery, Store } from '#store/store';
import { anId, type OpenFixture } from './fixture.ts';
import { anAgent, aRun, settleTeams } from './tracker-fixture.ts';

type Filters = Omit<RunQuery, 'before' | 'limit'>;

const aCaller = (user: User, reach: Reach, fields: Partial<Caller> = {}): Caller => ({
  kind: 'user',
  workspace_id: user.workspace_id,
  user_id: user.id,
  agent_id: null,
  token_id: null,
  attempt_id: null,
  principal_id: user.id,
  scopes: new Set(),
  reach,
  held: new Set(),
  acts_for: 'self',
  app: null,
  expires_at: null,
  fault: null,
  scope_key: '',
  ...fields,
});

/** Runs of two people and their agents in two projects and in none, and one of a stranger; in the order of their ids. */
async function everyRun(store: Store) {
  const teams = await settleTeams(store);
  const { garden, kitchen, user, second, foreign } = teams;
  const [first_agent, second_agent] = [anAgent(user), anAgent(user)];
  const runs = [user, second].flatMap((owner) =>
    [null, first_agent.id, second_agent.id].flatMap((agent_id) =>
      [null, garden.project.id, kitchen.project.id].flatMap((project_id) =>
        (['running', 'completed'] as const).flatMap((status) =>
          [null, 'item-1'].map((work_item_id) =>
            aRun(garden.project, owner, {
              agent_id,
              project_id,
              status,
              work_item_id,
              service_id: agent_id === null && status === 'completed' ? owner.id : null,
            }),
          ),
        ),
      ),
    ),
  );
  const strange = aRun(garden.project, user, { workspace_id: foreign.workspace_id });
  const attempt_id = anId<AttemptId>();
  const attempted = [attempt_id, anId<AttemptId>()].flatMap((of) =>
    [user, second].map((owner) => aRun(garden.project, owner, { attempt_id: of, work_item_id: 'item-1' })),
  );
  await store.transaction(async (tx) => {
    for (const agent of [first_agent, second_agent]) await tx.agents.insert(agent);
    for (const run of [...runs, strange, ...attempted]) await tx.runs.insert(run);
  });
  return { ...teams, agent: first_agent, attempt_id, runs: [...runs, strange, ...attempted] };
}

function callersOf({
  user,
  second,
  foreign,
  agent,
  attempt_id,
  garden,
  kitchen,
}: Awaited<ReturnType<typeof everyRun>>) {
  const all = everywhere(['issue:read']);
  const named = (...projects: readonly { readonly project: { readonly id: ProjectId } }[]): Reach =>
    new Map(projects.map(({ project }) => [project.id, all]));
  const blind: Reach = new Map([[garden.project.id, everywhere(['issue:comment'])]]);
  const asAgent = { kind: 'agent', agent_id: agent.id } as const;

  return {
    'a person in no project': aCaller(user, named()),
    'a person in one project': aCaller(user, named(garden)),
    'a person in both projects': aCaller(user, named(garden, kitchen)),
    'a person who may not read in their project': aCaller(user, blind),
    'another person': aCaller(second, named(kitchen)),
    'an admin': aCaller(second, all),
    'an agent without a grant': aCaller(user, named(), asAgent),
    'an agent with a grant': aCaller(user, named(garden), asAgent),
    'an agent with a grant that does not read': aCaller(user, blind, asAgent),
    'a service': aCaller(user, named(), { kind: 'service' }),
    'a service with a project': aCaller(second, named(garden), { kind: 'service' }),
    'an agent in an attempt': aCaller(user, named(garden), { kind: 'attempt', attempt_id }),
    'an agent of an admin in an attempt': aCaller(user, all, { kind: 'attempt', attempt_id }),
    'an agent in an attempt of another workspace': aCaller(foreign.user, all, { kind: 'attempt', attempt_id }),
    'an admin of another workspace': aCaller(foreign.user, all),
    'a person of another workspace': aCaller(foreign.user, named(garden)),
  } satisfies Record<string, Caller>;
}

async function listed(store: Store, visibility: RunVisibility, filters: Filters): Promise<readonly RunId[]> {
  const ids: RunId[] = [];
  for (;;) {
    const page = await store.reads.runs.list(visibility, { ...filters, before: ids.at(-1) ?? null, limit: 11 });
    if (page.length === 0) return ids;
    expect(page.length).toBeLessThanOrEqual(11);
    ids.push(...page.map(({ id }) => id));
  }
}

const passes = (run: Run, { status, project_id, work_item_id }: Filters): boolean =>
  (status === undefined || run.status === status) &&
  (project_id === undefined || run.project_id === project_id) &&
  (work_item_id === undefined || run.work_item_id === work_item_id);

/** That lists show what the rule about runs says, no more and no less. */
export function describeRunVisibility(open: OpenFixture): void {
  it('[9.2] lists exactly the runs that each caller may see, newest first, page by page', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const world = await everyRun(store);
    const [status, work_item_id, project_id] = ['running', 'item-1', world.garden.project.id] as const;
    const everyFilter: readonly Filters[] = [
      {},
      { status },
      { work_item_id },
      { project_id },
      { project_id: world.kitchen.project.id },
      { status, project_id },
      { status, work_item_id },
      { status, project_id, work_item_id },
    ];

    for (const [name, caller] of Object.entries(callersOf(world))) {
      const visibility = readableRuns(caller);
      const found = await Promise.all(world.runs.map(({ id }) => store.reads.runs.seen(visibility, id)));
      const seen = found.filter((run) => run !== null).toReversed();

      for (const filters of everyFilter) {
        const expected = seen.filter((run) => passes(run, filters)).map(({ id }) => id);
        const label = `${name}, ${Object.keys(filters).join(' and ')}`;
        expect([label, await listed(store, visibility, filters)]).toEqual([label, expected]);
      }
    }
  });

  it('[9.2] lists whole runs, the same within a transaction', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const world = await everyRun(store);
    const visibility = readableRuns(
      aCaller(world.second, new Map([[world.garden.project.id, everywhere(['issue:read'])]])),
    );
    const query = { before: null, limit: 100 };

    const list = await store.reads.runs.list(visibility, query);

    expect(list).toEqual(world.runs.filter(visibility.sees).toReversed());
    expect(await store.transaction((tx) => tx.runs.list(visibility, query))).toEqual(list);
  });
}
