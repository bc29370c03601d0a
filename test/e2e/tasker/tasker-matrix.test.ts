import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../../../packages/server/src/domain/scope.ts';
import type { Arguments } from '../client.ts';
import { IS_LONG } from '../counts.ts';
import { errandJson, placeFlags } from '../program.ts';
import {
  ARGUMENTS,
  argumentsFor,
  bringAbout,
  CONDITIONS,
  type Condition,
  expected,
  GRANTABLE,
  OWN_SCOPES,
  SCOPE_SETS,
  type Stage,
  SUBJECTS,
  type Subject,
  siteOf,
  TASKER,
} from './matrix.ts';
import { plantAgent, plantSession } from './site.ts';
import { countEffects, openTracker, type Tracker, trackerDigest } from './tracker.ts';
import { type AgentClient, type Way, waysInto } from './ways.ts';

interface Cell {
  readonly subject: Subject;
  readonly condition: Condition;
  readonly way: Way;
  readonly client: AgentClient;
}

interface Ready extends Cell {
  readonly args: Arguments;
}

type Table = Map<string, Record<string, string>>;

const FULL_EVERY = 20;

/** Scopes are checked before the database is used: all of them let every call reach it. */
const ON_POSTGRES = [GRANTABLE, ...(IS_LONG ? OWN_SCOPES : OWN_SCOPES.slice(0, 2))];

/** Returns the transports for a set of scopes: all for some sets, for each other set the next in turn. */
function waysFor(set: number, ways: readonly Way[]): readonly Way[] {
  return IS_LONG || set % FULL_EVERY === 0 ? ways : ways.filter((_, index) => index === set % ways.length);
}

/** Prepares the arguments of a cell. A session that is to be finished is started directly in the store. */
async function prepare({ tracker, agent }: Stage, cell: Cell): Promise<Ready> {
  const at = siteOf(cell.condition, tracker);
  const finishes = cell.subject.tool.name === 'tasker_finish_work_session';
  const session = finishes ? await plantSession(tracker.store, at, agent) : '';
  return { ...cell, args: argumentsFor(cell.subject, at, session) };
}

/** Makes the call of one cell, and records its outcome for the row and the transport. */
async function call({ scopes }: Stage, { subject, condition, way, client, args }: Ready, table: Table): Promise<void> {
  const answer = await client.call(subject.tool.name, args);

  const row = `${subject.title} | ${scopes.join(' ')} | ${condition}`;
  table.set(row, { ...table.get(row), [way.name]: answer.ok ? 'ok' : answer.error.code });
}

async function list(cells: readonly Cell[], scopes: readonly Scope[], condition: Condition): Promise<void> {
  for (const { client, way } of new Map(cells.map((cell) => [cell.way, cell])).values()) {
    const listing = await client.list();
    const outcome = (subject: Subject) => expected(subject, scopes, condition);
    const plain = SUBJECTS.filter(({ title, tool }) => title === tool.name);
    const shown = plain.filter((subject) => outcome(subject) !== 'insufficient_scope').map(({ tool }) => tool.name);

    if (plain.every((subject) => outcome(subject) === 'unauthenticated')) {
      expect(listing, `${way.name}, ${condition}`).toMatchObject({ ok: false, error: { code: 'unauthenticated' } });
    } else expect(listing, `${way.name}, ${condition}, ${scopes}`).toEqual({ ok: true, tools: shown });
  }
}

/** Runs all cells of one token: first refused calls, which must change nothing, then allowed ones. */
async function playToken(stage: Stage, ways: readonly Way[], table: Table): Promise<void> {
  const { tracker, scopes, agent } = stage;
  await using clients = new AsyncDisposableStack();
  const known = await Promise.all(
    ways.map(async (way) => ({ way, client: clients.use(await way.connect(agent.token)) })),
  );
  const strangers = await Promise.all(
    ways.filter((way) => way.takes_strangers).map(async (way) => ({ way, client: await way.connect(null) })),
  );

  for (const condition of CONDITIONS) {
    const takeBack = await bringAbout(condition, stage);
    const at = condition === 'no token' ? strangers : known;
    const all = at.flatMap((client) => SUBJECTS.map((subject) => ({ ...client, subject, condition })));
    const cells = await Promise.all(all.map((cell) => prepare(stage, cell)));
    const isAllowed = ({ subject }: Cell) => expected(subject, scopes, condition) === 'ok';

    const before = await trackerDigest(tracker.database);
    await Promise.all(cells.filter((cell) => !isAllowed(cell)).map((cell) => call(stage, cell, table)));
    expect((await trackerDigest(tracker.database)) === before, `${condition}: refused, but something changed`).toBe(
      true,
    );

    const effects = await countEffects(tracker.database);
    const allowed = cells.filter(isAllowed);
    await Promise.all(allowed.map((cell) => call(stage, cell, table)));
    const writes = allowed.filter(({ subject }) => subject.tool.effect !== 'read').length;
    expect((await countEffects(tracker.database)) - effects, `${condition}: effects`).toBe(writes);

    await list(cells, scopes, condition);
    await takeBack();
  }
}

describe('the matrix of the gateway', () => {
  it('is made of the 15 tools of the contract and the list of work reports', () => {
    const names = TASKER.map(({ name }) => name);

    expect(names.toSorted()).toEqual(Object.keys(ARGUMENTS).toSorted());
    expect(names).toHaveLength(16);
  });

  describe.each([
    ['sqlite', SCOPE_SETS],
    ['postgres', ON_POSTGRES],
  ] as const)('on %s', (backend, sets) => {
    let tracker: Tracker;
    const table: Table = new Map();
    beforeAll(async () => {
      tracker = await openTracker(backend);
    });
    afterAll(async () => {
      await tracker?.[Symbol.asyncDispose]();
    });

    it.each(sets.map((scopes, set) => [titleOf(scopes), scopes, set] as const))(
      '[TSK-01, TSK-02, TSK-03, TSK-04, TSK-07, TSK-08, TSK-09, TSK-16] answers as documented, with %s',
      async (_, scopes, set) => {
        const { store, home, side, server, place } = tracker;
        const agent = await plantAgent(store, home, [home.project_id, side.project_id], scopes);

        await playToken({ tracker, agent, scopes }, waysFor(set, waysInto(server.origin, place)), table);
      },
    );

    it('leaves an audit trail that is intact', async () => {
      const verdict = await errandJson(['audit', 'verify', ...placeFlags(tracker.place)]);

      expect(verdict).toMatchObject({ intact: true });
    });

    it('[TSK-01, TSK-03] is the same on all transports, and as documented in every cell', () => {
      const ways = waysInto(tracker.server.origin, tracker.place);
      const wrong = sets.flatMap((scopes, set) =>
        CONDITIONS.flatMap((condition) =>
          SUBJECTS.flatMap((subject) => {
            const row = `${subject.title} | ${scopes.join(' ')} | ${condition}`;
            const answers = table.get(row) ?? {};
            const outcome = expected(subject, scopes, condition);
            const played = waysFor(set, ways).filter((way) => condition !== 'no token' || way.takes_strangers);
            const full = Object.keys(answers).length === played.length;
            const right = full && Object.values(answers).every((answer) => answer === outcome);
            return right ? [] : [`${row}: ${outcome}, but ${JSON.stringify(answers)}`];
          }),
        ),
      );

      expect(wrong.slice(0, 5), `${wrong.length} rows`).toEqual([]);
      expect(ways).toHaveLength(6);
    });
  });
});

function titleOf(scopes: readonly Scope[]): string {
  if (scopes === GRANTABLE) return 'all scopes';
  if (scopes.length <= 3) return scopes.join(', ');
  const [subject] = SUBJECTS.filter(({ scopes: own }) => own.every((scope) => !scopes.includes(scope)));
  return `all but ${subject?.scopes.join(', ')}`;
}
