import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { TRAIL_PLANTS, VERIFY_PLANTS } from '../e2e/board-durability/server-plants.ts';
import { createRandom } from '../e2e/durability/random.ts';
import { openTwoServers, type TwoServers } from '../e2e/two-servers/two-servers.ts';
import { ownPostgres } from './own-postgres.ts';
import { openOutbox } from './replay/hold-outbox.ts';
import { proveReplay } from './replay/prove-replay.ts';
import { SEED } from './seed.ts';
import { showFigures } from './show-figures.ts';
import { copyOf } from './trail/copies.ts';
import { changed, tamperings } from './trail/tamperings.ts';
import { countKeys, verify } from './trail/verify.ts';

const KILLS = Number(env.ERRAND_TRAIL_KILLS ?? 20);
const RUN = { seed: SEED, projects: 4, readers: 1 };
/** How many groups of entries wait for their place when both servers end for good. */
const LEFT = 6;

const postgresUrl = ownPostgres();

/** Writes in several projects while servers are killed, and kills both before the last entries have their place. */
async function writeTrail(servers: TwoServers, kills: number) {
  await using outbox = openOutbox(servers.place.database_url);
  const { writers, changes } = await proveReplay(servers, { ...RUN, kills });
  // Not the first, which also makes calls that wait for the rows to be moved.
  const last = writers.at(-2);
  let isOver = false;
  const writing = last?.write(() => isOver);
  await outbox.hold(LEFT, async () => {
    isOver = true;
    await writing;
    await servers.end();
  });
  return {
    left: await outbox.count(),
    changes,
    keys: writers.flatMap((writer) => writer.changes.map(({ key }) => key)),
  };
}

describe.each(['postgres', 'sqlite'] as const)(`the trail of two servers with one %s (seed ${SEED})`, (backend) => {
  it(
    `has every call once after ${KILLS} kills, and verifying it finds every change, with the first bad entry`,
    async () => {
      await using servers = await openTwoServers(backend, postgresUrl());
      const { place } = servers;

      const { left, keys } = await writeTrail(servers, KILLS);
      await using untouched = await copyOf(place);
      const sound = await verify(place);
      const counts = await countKeys(place);
      const middle = createRandom(SEED).between(2, sound.entries - 2);
      const found: string[] = [];
      const cases = tamperings(sound.entries, middle);
      for (const { name, sql, first_bad_seq } of cases) {
        await using copy = await copyOf(place);
        await copy.sql(sql);
        const alone = await verify(copy);
        const noted = await verify(copy, sound.head);
        if (alone.first_bad_seq !== first_bad_seq) found.push(`${name}: ${JSON.stringify(alone)}`);
        if (noted.first_bad_seq !== (first_bad_seq ?? middle))
          found.push(`${name}, with a head: ${JSON.stringify(noted)}`);
      }

      showFigures(`trail on ${backend}`, {
        entries: sound.entries,
        left,
        calls: keys.length,
        cases: cases.length * 2,
      });
      expect(sound).toMatchObject({ intact: true, problem: null });
      expect(await verify(untouched)).toEqual(sound);
      expect(keys.filter((key) => counts.get(key) !== 1)).toEqual([]);
      expect(found).toEqual([]);
      if (backend === 'postgres') expect(left).toBeGreaterThan(0);
    },
    600_000 + KILLS * 20_000,
  );
});

describe(`entries that have no place yet (seed ${SEED})`, () => {
  it('are not protected, but what has its place is, and a trail that cannot be read is not called intact', async () => {
    await using servers = await openTwoServers('postgres', postgresUrl());
    const { place } = servers;
    await writeTrail(servers, 1);
    const edits = {
      changed: [`update outbox set body = replace(body, '"ok"', '"denied"')`],
      deleted: ['delete from outbox where id = (select min(id) from outbox)'],
      'changed with an entry that has its place': changed(5),
    };

    const found: Record<string, unknown> = {};
    for (const [name, sql] of Object.entries(edits)) {
      await using copy = await copyOf(place);
      await copy.sql(sql);
      const { intact, first_bad_seq } = await verify(copy);
      found[name] = { intact, first_bad_seq };
    }
    await using broken = await copyOf(place);
    await broken.sql([`update outbox set body = '{' where id = (select min(id) from outbox)`]);
    const refused = await verify(broken).catch((error: unknown) => error);

    expect(found).toEqual({
      changed: { intact: true, first_bad_seq: null },
      deleted: { intact: true, first_bad_seq: null },
      'changed with an entry that has its place': { intact: false, first_bad_seq: 5 },
    });
    expect(refused).toBeInstanceOf(Error);
  }, 300_000);
});

// The counterparts of the proofs above.
describe(`the trail of a program with a fault (seed ${SEED})`, () => {
  it.each(Object.keys(TRAIL_PLANTS) as (keyof typeof TRAIL_PLANTS)[])(
    'lacks calls after kills with "%s"',
    async (plant) => {
      await using servers = await openTwoServers('postgres', postgresUrl(), plant);

      const { keys } = await writeTrail(servers, 3);
      const counts = await countKeys(servers.place);

      const lacking = keys.filter((key) => counts.get(key) !== 1);
      showFigures(`trail with ${plant}`, { lacking: lacking.length, calls: keys.length });
      expect(lacking).not.toEqual([]);
    },
    600_000,
  );

  it.each(Object.keys(VERIFY_PLANTS) as (keyof typeof VERIFY_PLANTS)[])(
    'is called intact after a change with "%s"',
    async (plant) => {
      await using servers = await openTwoServers('sqlite', postgresUrl());
      const { place } = servers;
      await writeTrail(servers, 1);
      const { entries } = await verify(place);

      const missed: string[] = [];
      for (const { name, sql, first_bad_seq } of tamperings(entries, 5).toReversed()) {
        await using copy = await copyOf(place);
        await copy.sql(sql);
        if ((await verify(copy, null, plant)).first_bad_seq !== first_bad_seq) missed.push(name);
        if (missed.length > 0) break;
      }

      showFigures(`trail with ${plant}`, { missed });
      expect(missed).not.toEqual([]);
    },
    600_000,
  );
});
