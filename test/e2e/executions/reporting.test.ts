import { afterAll, beforeAll, describe, it } from 'vitest';
import { openWorld, type World } from '../world.ts';
import type { Reporter } from './report.ts';
import { openStage } from './scenario.ts';
import { CORE, SCENARIOS } from './scenarios.ts';
import { ELDER_WAYS, STORED_ONCE, WAYS, type Way } from './ways.ts';

const telling = (scenarios: typeof SCENARIOS, ways: readonly Way[]) => ways.map((way) => ({ ...way, scenarios }));

describe.each([
  { backend: 'sqlite', ways: [...telling(SCENARIOS, WAYS), ...telling(CORE, ELDER_WAYS)] },
  { backend: 'postgres', ways: telling(SCENARIOS, STORED_ONCE) },
] as const)('reports of runs on $backend', ({ backend, ways }) => {
  let world: World;
  let token: string;
  beforeAll(async () => {
    world = await openWorld(backend);
    const user_id = await world.admin.addUser('Ada');
    ({ token } = await world.admin.createToken({ kind: 'user', user_id, scopes: ['execution:report'] }));
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  describe.each(ways)('over $name', ({ carrier, connect, scenarios }) => {
    let reporter: Reporter;
    beforeAll(async () => {
      reporter = await connect({ origin: world.server.origin, place: world.place }, token);
    });
    afterAll(async () => {
      await reporter?.[Symbol.asyncDispose]();
    });

    for (const { cites, title, not_over, play } of scenarios) {
      const gap = not_over?.[carrier];
      const claim = `[${cites.join(', ')}] ${title}`;
      it.skipIf(gap !== undefined)(gap === undefined ? claim : `${claim} (not here: ${gap})`, async () => {
        await play(await openStage({ origin: world.server.origin, token }, carrier, reporter));
      });
    }
  });
});
