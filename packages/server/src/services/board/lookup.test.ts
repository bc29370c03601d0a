import { describe, expect, it } from 'vitest';
import type { Caller } from '#domain/caller';
import { everywhere } from '#domain/reach';
import type { ReadWork } from '#services/work';
import { createBoardWorld } from '#testing/board';
import type { World } from '#testing/world';
import { sessionOf } from './lookup.ts';

const workOf = ({ store }: World, caller: Caller): ReadWork => ({
  caller,
  subject: caller.user_id,
  within: { workspace_id: caller.workspace_id, project_ids: 'all' },
  rightsIn: () => everywhere([]),
  tx: store.reads,
});

describe('a session', () => {
  it('of another attempt reads like an unknown one, for a caller within an attempt', async () => {
    await using board = await createBoardWorld();
    const task_id = await board.task();
    const own = await board.attempt(task_id, { sessions: ['codex'] });
    const other = await board.attempt(task_id, { sessions: ['codex'] });
    const work = workOf(board.world, await board.within(own));
    const [mine, theirs] = [own.sessions[0]?.id, other.sessions[0]?.id];
    if (mine === undefined || theirs === undefined) throw new Error('no sessions');

    const found = await sessionOf(work, mine);
    const refusal = sessionOf(work, theirs);

    expect(found).toMatchObject({ session: { id: mine }, attempt: { id: own.id } });
    await expect(refusal).rejects.toMatchObject({ code: 'not_found', message: expect.stringMatching(/^No session /) });
  });
});
