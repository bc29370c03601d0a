import { describe, expect, it } from 'vitest';
import type { Caller } from '#domain/caller';
import type { Event } from '#domain/event';
import { createWorld } from '#testing/world';
import { readQuestion } from './events-filter.ts';
import { createSelection, type Piece } from './events-pieces.ts';

const aPage = ({ workspace_id, user_id }: Caller, count: number, text: string): readonly Event[] =>
  Array.from({ length: count }, (_, i) => ({
    seq: i + 1,
    at: 0,
    workspace_id,
    kind: 'feed.added',
    entity_id: text,
    execution_id: null,
    audience: { scope: 'execution:report', project_id: null, user_id, agent_id: null, service_id: null },
    actor: null,
    data: null,
  }));

const filterOf = (query: string) => readQuestion(new URLSearchParams(query)).filter;
const frames = (pieces: readonly Piece[]) => pieces.flatMap((piece) => piece.frames);

describe('a page of events', () => {
  it('is sent in pieces of 64 KiB, so that a follower that does not read gets little more than there is room for', async () => {
    await using world = await createWorld();
    const page = aPage(world.owner, 40, '🪜'.repeat(2_500));

    const pieces = createSelection(page)({ caller: world.owner, filter: filterOf(''), position: 0 });

    const sizes = pieces.map((piece) => piece.frames.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0));
    expect(sizes.slice(0, -1).every((size) => size >= 64 * 1024 && size < 76 * 1024)).toBe(true);
    expect(pieces.map(({ last }) => last)).toEqual([7, 14, 21, 28, 35, 40]);
    expect(frames(pieces).map(({ seq }) => seq)).toEqual(page.map(({ seq }) => seq));
  });

  it('is one list for followers with the same rights and filter; lists of others share its frames', async () => {
    await using world = await createWorld();
    const other = await world.callerWith({ scopes: ['execution:report'] });
    const select = createSelection(aPage(world.owner, 3, 'same'));

    const [first, second] = [
      select({ caller: world.owner, filter: filterOf(''), position: 0 }),
      select({ caller: world.owner, filter: filterOf(''), position: 0 }),
    ];
    const others = [
      select({ caller: other, filter: filterOf(''), position: 0 }),
      select({ caller: world.owner, filter: filterOf('kinds=feed.*'), position: 0 }),
      select({ caller: world.owner, filter: filterOf(''), position: 1 }),
    ];

    expect(first[0]?.frames).toBe(second[0]?.frames);
    const [, shared] = frames(first);
    for (const pieces of others) expect(frames(pieces).some((frame) => frame === shared)).toBe(true);
  });
});
