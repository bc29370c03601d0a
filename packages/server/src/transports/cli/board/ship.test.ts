import { describe, expect, it } from 'vitest';
import { createBoardTerminal } from '#testing/board-terminal';
import { aShippable } from '#testing/git-jobs';
import { createWorld } from '#testing/world';

async function aPlace() {
  const world = await createWorld();
  const ship = await aShippable(world);
  await ship.attempt();
  return { world, ship, ...createBoardTerminal(world) };
}

describe('errand merge', () => {
  it('says where the work is now, that the task is done, and which attempts are archived', async () => {
    const { ship, type } = await aPlace();
    await ship.attempt();

    const merging = type('merge', 'SHO-1.2', '--mode', 'squash');
    await ship.merged(await ship.take());
    const { code, out } = await merging;

    expect(code).toBe(0);
    expect(out).toBe('Merged SHO-1.2 into main of shop: cccc (squash).\nSHO-1 is done. SHO-1.1 is archived.\n');
  });

  it.each([
    ['merge', undefined, 'nothing was changed', 'Have the agent resolve them: errand merge SHO-1.1 --resolve'],
    [
      'rebase',
      '00000000-0000-7000-8000-0000000000f1',
      'main was not changed',
      'The agent was asked to resolve them. Watch it: errand watch SHO-1.1. Then: errand rebase SHO-1.1',
    ],
  ] as const)('%s lists the files that conflict, and ends with 1', async (verb, follow_up_id, unchanged, next) => {
    const { ship, type } = await aPlace();
    const { repo_id } = ship;

    const merging = type(verb, 'SHO-1');
    const conflicts = ['src/a.ts', 'b.ts'].map((path) => ({ repo_id, path }));
    const result = { conflicts, ...(follow_up_id !== undefined && { follow_up_id: follow_up_id as never }) };
    await ship.jobs.finish((await ship.take()).job, { status: 'conflicts', result });
    const { code, out, remarks } = await merging;

    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(remarks).toBe(
      `errand: SHO-1.1 conflicts with main in 2 files; ${unchanged}.\n  shop  src/a.ts\n  shop  b.ts\n${next}\n`,
    );
  });

  it('says why it is refused, and ends with 1', async () => {
    const { ship, type } = await aPlace();

    const merging = type('merge', 'SHO-1');
    const result = { code: 'not_clean', reason: 'main is checked out in /home/ana/shop with changes.' } as const;
    await ship.jobs.finish((await ship.take()).job, { status: 'refused', result });
    const { code, remarks } = await merging;

    expect({ code, remarks }).toEqual({ code: 1, remarks: `errand: ${result.reason}\n` });
  });

  it('answers a script with the whole answer and the same exit code', async () => {
    const { ship, type } = await aPlace();

    const merging = type('merge', 'SHO-1', '--json');
    await ship.jobs.finish((await ship.take()).job, {
      status: 'refused',
      result: { code: 'nothing', reason: 'None.' },
    });
    const { code, out } = await merging;

    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ status: 'refused', code: 'nothing' });
  });
});

describe('errand rebase', () => {
  it('says on what the branch stands now', async () => {
    const { ship, type } = await aPlace();

    const rebasing = type('rebase', 'SHO-1.1');
    await ship.merged(await ship.take());

    expect((await rebasing).out).toBe('SHO-1.1 stands on main of shop: cccc.\n');
  });
});

describe('errand pr', () => {
  it('prints the address and the state of each request', async () => {
    const { ship, type } = await aPlace();
    const url = 'https://example.com/ana/shop/pull/17';

    const opening = type('pr', 'SHO-1', '--draft');
    const request = { url, number: 17, forge: 'gh', repo_id: ship.repo_id, state: 'draft', checked_at: 0 } as const;
    await ship.jobs.finish((await ship.take()).job, { status: 'done', result: { pull_requests: [request] } });

    expect(await opening).toMatchObject({ code: 0, out: `${url}  draft\n` });
  });

  it('says why it is refused, and ends with 1', async () => {
    const { ship, type } = await aPlace();

    const opening = type('pr', 'SHO-1');
    const result = { code: 'no_remote', reason: 'shop has no remote.' } as const;
    await ship.jobs.finish((await ship.take()).job, { status: 'refused', result });

    expect(await opening).toMatchObject({ code: 1, remarks: 'errand: shop has no remote.\n' });
  });
});
