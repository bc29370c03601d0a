import { describe, expect, it } from 'vitest';
import { createBoardWorld } from '#testing/board';

type People = readonly { readonly name: string; readonly editing: boolean }[];

async function two() {
  const board = await createBoardWorld();
  const { world, project_id, task } = board;
  const task_id = await task();
  const user_id = await world.addUser('Anna');
  await world.ask('admin_add_member', { project_id, user_id, role: 'member' });
  const anna = await world.callerWith({ user_id, scopes: ['board:read'] });
  const look = async (caller = world.owner, editing = false): Promise<People> =>
    (await world.ask('show_presence', { task_id, editing }, caller)).people as People;
  const events = async () =>
    (await world.store.reads.events.page({ after: 0, limit: 1_000 })).filter(({ kind }) => kind === 'presence.updated');
  return { ...board, task_id, anna, look, events };
}

describe('show_presence', () => {
  it('lets two people on one task see each other, until one leaves', async () => {
    const { world, task_id, anna, look } = await two();

    await look();
    world.time.now += 1;
    const both = await look(anna, true);
    await world.ask('end_presence', { task_id });

    expect(both).toMatchObject([
      { name: 'owner', editing: false },
      { name: 'Anna', editing: true },
    ]);
    expect(await look(anna)).toMatchObject([{ name: 'Anna' }]);
  });

  it('forgets a person after 45 seconds without a word', async () => {
    const { world, anna, look } = await two();
    await look();

    world.time.now += 45_001;

    expect(await look(anna)).toMatchObject([{ name: 'Anna' }]);
  });

  it('sends an event when something changes, not at each report, and writes no audit entry', async () => {
    const { world, task_id, anna, look, events } = await two();
    const trail = (await world.ask('admin_list_audit', {})).entries;

    await look(anna);
    world.time.now += 15_000;
    await look(anna);
    await look(anna, true);
    await world.ask('end_presence', { task_id }, anna);
    // Neither is there any more.
    await world.ask('end_presence', { task_id }, anna);
    await world.ask('end_presence', { task_id });

    expect(
      (await events()).map(({ data }) => (data as { people: People }).people.map(({ editing }) => editing)),
    ).toEqual([[false], [true], []]);
    expect((await world.ask('admin_list_audit', {})).entries).toEqual(trail);
  });

  it('is for people who may see the task', async () => {
    const { world, task_id, robot } = await two();
    const stranger = await world.callerWith({ user_id: await world.addUser('Bob'), scopes: ['board:read'] });

    const codes = [
      await world.refuse('show_presence', { task_id }, robot),
      await world.refuse('show_presence', { task_id }, stranger),
    ].map(({ code }) => code);

    expect(codes).toEqual(['insufficient_scope', 'not_found']);
  });
});
