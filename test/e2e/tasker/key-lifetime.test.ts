import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../../packages/server/src/testing/world.ts';
import { plantAgent, plantSite } from './site.ts';

const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;

/** Opens a world with an agent that has used one key. */
async function withUsedKey() {
  const world: World = await createWorld();
  const site = await plantSite(world.store, world.installation.workspace_id, 'site');
  const { token } = await plantAgent(world.store, site, [site.project_id], ['issue:create', 'issue:read']);
  const agent = await world.gateway.authenticate(token);
  const input = { project_id: site.project_id, name: 'once', idempotency_key: 'key' };
  const create = () => world.ask('tasker_create_issue', input, agent);
  return { world, create, first: await create() };
}

describe('a key by the clock of the store', () => {
  it('[TSK-38] still answers the first result one second before its 24 hours are over', async () => {
    const { world, create, first } = await withUsedKey();

    world.time.now += DAY - SECOND;

    expect(await create()).toEqual(first);
  });

  it('[TSK-38] makes a new card one second after them', async () => {
    const { world, create, first } = await withUsedKey();

    world.time.now += DAY + SECOND;

    expect(await create()).not.toEqual(first);
  });

  it('[TSK-38] is not kept longer after a repeated call', async () => {
    const { world, create, first } = await withUsedKey();
    world.time.now += DAY - SECOND;
    await create();

    world.time.now += 2 * SECOND;

    expect(await create()).not.toEqual(first);
  });
});
