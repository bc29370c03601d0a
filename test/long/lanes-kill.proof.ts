import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { type KillLoop, killLoop, type Verdict } from '../e2e/durability/kill-loop.ts';
import { verifyChain } from '../e2e/durability/oracle.ts';
import { PLANTS, type Plant } from '../e2e/durability/planted-store.ts';
import { errandJson, type Place, placeFlags } from '../e2e/program.ts';
import { type Backend, openPlace } from '../e2e/world.ts';
import { ownPostgres } from './own-postgres.ts';
import { SEED } from './seed.ts';
import { showFigures } from './show-figures.ts';

const KILLS = Number(env.ERRAND_LANE_KILLS ?? 500);
const PROJECTS = 5;

const postgresUrl = ownPostgres();

/** Any two keys are likely to be of different projects, and a key is always of the same one. */
const placeOf = (key: string): number => [...key].reduce((sum, sign) => sum + sign.charCodeAt(0), 0) % PROJECTS;

/** Adds tasks to several projects on a server that is killed and restarted. */
async function killInLanes(place: Place, more: Pick<KillLoop, 'cycles' | 'plant'>): Promise<Verdict> {
  const { data, database_url } = place;
  const flags = placeFlags(place);
  const projects: string[] = [];
  for (let i = 0; i < PROJECTS; i++) {
    projects.push(String((await errandJson(['project', 'add', `Project ${i}`, ...flags])).project_id));
  }
  const create = ['token', 'create', '--kind', 'user', '--name', 'writer', '--scopes', 'board:read,board:write'];
  const { token } = await errandJson([...create, ...flags]);
  const does = {
    tool: 'create_task',
    args: (key: string) => ({ project_id: projects[placeOf(key)], title: key }),
    idOf: (answer: unknown) => (answer as { task_id: string }).task_id,
  };
  return killLoop({ data, database_url, token: String(token), does, seed: SEED, ...more });
}

describe.each(['postgres', 'sqlite'] as const)(`tasks of several projects on %s (seed ${SEED})`, (backend) => {
  it(
    `are stored exactly once after ${KILLS} kills under load`,
    async () => {
      await using place = await openPlace(backend, postgresUrl());

      const { faults, ...figures } = await killInLanes(place, { cycles: KILLS });

      showFigures(`kills on ${backend}`, { ...figures, kills: KILLS, faults: faults.length });
      expect(faults).toEqual([]);
      expect(figures.productive).toBeGreaterThan(KILLS / 2);
      expect(await verifyChain(place.data, place.database_url)).toBe(true);
    },
    120_000 + KILLS * 15_000,
  );
});

// The counterpart of the proof above: kills that these stores survive would prove nothing.
describe(`tasks of several projects in a store with a fault (seed ${SEED})`, () => {
  const CASES = (['postgres', 'sqlite'] as const).flatMap((backend) =>
    (Object.keys(PLANTS) as Plant[]).map((plant): [Backend, Plant] => [backend, plant]),
  );

  it.each(CASES)(
    'do not survive them on %s with "%s"',
    async (backend, plant) => {
      await using place = await openPlace(backend, postgresUrl());

      const { faults } = await killInLanes(place, { cycles: 60, plant });

      showFigures(`kills with ${plant} on ${backend}`, { first: faults[0] });
      expect(faults).not.toEqual([]);
    },
    600_000,
  );
});
