import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Client, Driver } from './client.ts';
import { IS_LONG } from './counts.ts';
import { cli } from './drivers/cli.ts';
import { mcpHttp } from './drivers/mcp-http.ts';
import { mcpStdio } from './drivers/mcp-stdio.ts';
import { restRoutes, restTools } from './drivers/rest.ts';
import { type Actor, oneOfEachKind, play } from './scenario.ts';
import { SCENARIOS } from './todo-scenarios.ts';
import { type Crew, crewOf, openWorld, type World } from './world.ts';

const DRIVERS: readonly [name: string, make: (world: World) => Driver][] = [
  ['MCP 2025-06-18 over HTTP', ({ server }) => mcpHttp('2025-06-18', server.origin)],
  ['MCP 2025-11-25 over HTTP', ({ server }) => mcpHttp('2025-11-25', server.origin)],
  ['MCP 2026-07-28 over HTTP', ({ server }) => mcpHttp('2026-07-28', server.origin)],
  ['MCP 2025-11-25 over stdio', ({ place }) => mcpStdio('2025-11-25', place)],
  ['MCP 2026-07-28 over stdio', ({ place }) => mcpStdio('2026-07-28', place)],
  ['REST by tool name', ({ server }) => restTools(server.origin)],
  ['REST by route', ({ server }) => restRoutes(server.origin)],
  ['command line', ({ place }) => cli(place)],
];

/** A command takes a quarter of a second, so `npm test` runs one scenario of each kind with it. */
const isSlow = (driver: string): boolean => driver === 'command line' && !IS_LONG;

/** How many scenarios may have a second user. */
const PAIRS = 12;

/** On PostgreSQL one MCP and one REST transport: the database's answers do not depend on the transport. */
const FEW = DRIVERS.filter(([name]) => ['MCP 2026-07-28 over HTTP', 'REST by route'].includes(name));

describe.each([
  ['sqlite', DRIVERS],
  ['postgres', IS_LONG ? DRIVERS : FEW],
] as const)('todo list on %s', (backend, drivers) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(backend);
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  describe.each(drivers)('over %s', (name, make) => {
    let driver: Driver;
    let crew: Crew;
    let service: Client;
    let setup: Client;
    beforeAll(async () => {
      driver = make(world);
      // One user per scenario, and a second one where a scenario has two.
      crew = await crewOf(world.admin, SCENARIOS.length + PAIRS);
      service = await driver.connect(crew.service);
      setup = await mcpHttp('2026-07-28', world.server.origin).connect(crew.service);
    });
    afterAll(async () => {
      await service?.[Symbol.asyncDispose]();
    });

    for (const scenario of isSlow(name) ? oneOfEachKind(SCENARIOS) : SCENARIOS) {
      const gap = scenario.not_over?.[name];
      const title = `[${scenario.cites.join(', ')}] ${scenario.title}`;
      it.skipIf(gap !== undefined)(gap === undefined ? title : `${title} (not here: ${gap})`, async () => {
        await using people = cast({ world, crew, driver, service });
        const check = isSlow(name) ? setup : service;
        await play(scenario, { ...people, setup, check, database: world.database });
      });
    }
  });
});

/** Makes the users of one scenario when they are first named. */
function cast({ world, crew, driver, service }: { world: World; crew: Crew; driver: Driver; service: Client }) {
  const users = new Map<string, Promise<string>>();
  const clients = new Map<Actor, Promise<Client>>();

  const user = (name: string): Promise<string> => {
    const known = users.get(name) ?? Promise.resolve(crew.person());
    users.set(name, known);
    return known;
  };
  const connect = async (actor: Actor): Promise<Client> => {
    const alice = await user('alice');
    const { token } = await world.admin.createToken(
      actor === 'alice' ? { kind: 'user', user_id: alice } : { kind: 'service', user_ids: [alice] },
    );
    return driver.connect(token);
  };
  const client = (actor: Actor): Promise<Client> => {
    if (actor === 'service') return Promise.resolve(service);
    const known = clients.get(actor) ?? connect(actor);
    clients.set(actor, known);
    return known;
  };
  const close = async () => {
    for (const opened of clients.values()) await (await opened)[Symbol.asyncDispose]();
  };
  return { user, client, [Symbol.asyncDispose]: close };
}
