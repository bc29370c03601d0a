import { describe, expect, it } from 'vitest';
import { blocksOf, layoutOf } from '#domain/blocks';
import { sanitizeHtml } from '#domain/rich-text';
import { aPlane } from './testing/plane-fixture.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const longAgo = () => new Date(Date.now() - 2 * DAY_MS).toISOString();

describe('a write whose answer was lost', () => {
  it('makes one issue when it is repeated', async () => {
    await using at = await aPlane();
    at.plane.plan('POST', /work-items/, { kind: 'lost' });

    await expect(at.tracker.create(at.work('k'), at.anIssue())).rejects.toMatchObject({ code: 'tracker_unavailable' });
    const issue = await at.tracker.create(at.work('k'), at.anIssue());

    expect(at.plane.world.items.map(({ id }) => id)).toEqual([issue.id]);
  });

  it('makes one issue when only reading it failed', async () => {
    await using at = await aPlane();
    at.plane.plan('GET', /work-items/, { kind: 'refused' });

    await expect(at.tracker.create(at.work('k'), at.anIssue())).rejects.toMatchObject({ code: 'tracker_unavailable' });
    await at.tracker.create(at.work('k'), at.anIssue());

    expect(at.plane.world.items).toHaveLength(1);
  });

  it('makes one comment when it is repeated', async () => {
    await using at = await aPlane();
    const issue = await at.tracker.create(at.work('a'), at.anIssue());
    at.plane.plan('POST', /comments/, { kind: 'lost' });

    await expect(
      at.tracker.comment(at.work('k'), issue, { comment_html: sanitizeHtml('<p>Hi</p>') }),
    ).rejects.toMatchObject({
      code: 'tracker_unavailable',
    });
    const comment = await at.tracker.comment(at.work('k'), issue, { comment_html: sanitizeHtml('<p>Hi</p>') });

    expect(at.plane.world.comments.map(({ id }) => id)).toEqual([comment.id]);
  });

  it('appends one block when it is repeated with the blocks as they are then', async () => {
    await using at = await aPlane();
    const issue = await at.tracker.create(at.work('a'), at.anIssue());
    at.plane.plan('PATCH', /work-items/, { kind: 'lost' });
    const appended = (id: string, to: typeof issue) =>
      layoutOf([...blocksOf(to.detail_layout), { id, type: 'text', text: 'Done' }]);

    await expect(
      at.tracker.update(at.work('k'), issue, { detail_layout: appended('b1', issue) }),
    ).rejects.toMatchObject({ code: 'tracker_unavailable' });
    const now = (await at.tracker.find(at.work(), at.within, issue.id)) ?? issue;
    const changed = await at.tracker.update(at.work('k'), now, { detail_layout: appended('b2', now) });

    expect(blocksOf(changed.detail_layout)).toEqual([{ id: 'b1', type: 'text', text: 'Done' }]);
  });
});

describe('a key that is used again after a day', () => {
  it('[TSK-38] makes one other issue, also when the call is repeated', async () => {
    await using at = await aPlane();
    await at.tracker.create(at.work('k'), at.anIssue());
    for (const item of at.plane.world.items) item.created_at = longAgo();

    const second = await at.tracker.create(at.work('k'), at.anIssue());
    const again = await at.tracker.create(at.work('k'), at.anIssue());

    expect(at.plane.world.items).toHaveLength(2);
    expect(again.id).toBe(second.id);
  });

  it('[TSK-38] writes blocks again', async () => {
    await using at = await aPlane();
    const layout = layoutOf([{ id: 'b1', type: 'text', text: 'Old' }]);
    const issue = await at.tracker.create(at.work('k'), at.anIssue({ detail_layout: layout }));
    const stored = at.plane.world.items[0];
    if (stored)
      stored.description_html = stored.description_html.replace(
        /:\w+">/,
        `:${(Date.now() - 2 * DAY_MS).toString(36)}">`,
      );

    const next = layoutOf([{ id: 'b1', type: 'text', text: 'New' }]);
    const changed = await at.tracker.update(at.work('k'), issue, { detail_layout: next });

    expect(changed.detail_layout).toEqual(next);
  });
});
