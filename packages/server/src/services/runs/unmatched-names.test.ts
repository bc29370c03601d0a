import { expect, it } from 'vitest';
import { aBoard } from '#testing/attempts';
import { createWorld } from '#testing/world';
import { unmatchedNames } from './unmatched-names.ts';

it('[L-VERIFY] a name in the configuration means a project by key, former key, name or id, or one of its repositories', async () => {
  await using world = await createWorld();
  const { project_id } = await aBoard(world);
  await world.ask('admin_update_project', { project_id, key: 'STORE' });
  const meant = ['STORE', 'sho', 'Shop', String(project_id), 'STORE/shop', 'Shop/shop'];
  const unknown = ['SHOE', 'shop', 'STORE/site', 'Shop/', ''];

  expect(await unmatchedNames(world.store.reads, [...meant, ...unknown])).toEqual(unknown);
  expect(await unmatchedNames(world.store.reads, [])).toEqual([]);
});
