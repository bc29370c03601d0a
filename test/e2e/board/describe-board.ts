import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Backend } from '../world.ts';
import { openSite, type Site } from './site.ts';
import { openStage, type Scenario } from './stage.ts';
import type { BoardClient, Way } from './ways.ts';

export interface Telling {
  readonly scenarios: readonly Scenario[];
  readonly ways: readonly Way[];
}

/** Runs scenarios over several transports, all on one server. */
export function describeBoard(backend: Backend, tellings: readonly Telling[]): void {
  const ways = tellings.flatMap(({ scenarios, ways }) => ways.map((way) => ({ ...way, scenarios })));

  describe(`the board on ${backend}`, () => {
    let site: Site;
    beforeAll(async () => {
      site = await openSite(backend);
    });
    afterAll(async () => {
      await site?.[Symbol.asyncDispose]();
    });

    describe.concurrent.each(ways)('over $name', ({ scenarios, ...way }) => {
      let client: BoardClient;
      beforeAll(async () => {
        client = await way.connect(site, site.token);
      });
      afterAll(async () => {
        await client?.[Symbol.asyncDispose]();
      });

      for (const { cites, title, play } of scenarios) {
        it(`[${cites.join(', ')}] ${title}`, async () => {
          await play(await openStage(site, way, client));
        });
      }
    });
  });
}
