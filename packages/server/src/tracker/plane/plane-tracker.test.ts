import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { layoutOf } from '#domain/blocks';
import type { ProjectId } from '#domain/ids';
import { type CleanHtml, sanitizeHtml } from '#domain/rich-text';
import { survivorsIn, XSS_VECTORS } from '#domain/testing/xss-vectors';
import { addMember, addProject, addUser } from '../../../../../test/plane/world.ts';
import { meaningOf, takeApart } from './description.ts';
import { aPlane } from './testing/plane-fixture.ts';

describe('a tracker in Plane', () => {
  it('offers the projects that its user is in', async () => {
    await using at = await aPlane();
    addProject(at.plane.world, 'Public, but of others', { network: 2 });
    addProject(at.plane.world, 'Secret');

    expect(await at.tracker.projects()).toEqual([{ id: at.project.id, name: 'Website' }]);
  });

  it('[TSK-12] answers states with their groups, labels and members of a project', async () => {
    await using at = await aPlane();

    const states = await at.tracker.states(at.work(), at.project_id);
    const labels = await at.tracker.labels(at.work(), at.project_id);
    const members = await at.tracker.members(at.work(), at.project_id);

    expect(states.map(({ name, group }) => [name, group])).toEqual([
      ['Backlog', 'backlog'],
      ['Todo', 'unstarted'],
      ['In Progress', 'started'],
      ['Done', 'completed'],
      ['Cancelled', 'cancelled'],
    ]);
    expect(labels).toEqual([{ id: at.label.id, name: 'bug', color: '#d73a4a' }]);
    expect(members.map(({ name }) => name)).toEqual(['errand-bot', 'Ada']);
  });

  it('[TSK-15, TSK-14] creates an issue with all its fields and finds it again', async () => {
    await using at = await aPlane();
    const parent = await at.tracker.create(at.work('parent'), at.anIssue({ name: 'Parent' }));
    const fields = at.anIssue({
      description_html: sanitizeHtml('<p>It <strong>fails</strong>.</p>'),
      priority: 'high',
      state: at.stateOf('started'),
      label_ids: [at.label.id],
      assignee_ids: [at.ada.id],
      parent_id: parent.id,
      start_date: '2026-02-01',
      target_date: '2026-02-03',
    });

    const issue = await at.tracker.create(at.work('child'), fields);

    expect(issue).toMatchObject({
      project_id: at.project_id,
      name: 'Fix the login',
      description_html: '<p>It <strong>fails</strong>.</p>',
      detail_layout: null,
      state: at.stateOf('started'),
      priority: 'high',
      labels: [{ id: at.label.id, name: 'bug' }],
      assignees: [{ id: at.ada.id, name: 'Ada' }],
      parent_id: parent.id,
      start_date: '2026-02-01',
      target_date: '2026-02-03',
      version: null,
      created_by: { kind: 'user', id: at.bot.id, name: 'errand-bot' },
    });
    expect(await at.tracker.find(at.work(), at.within, issue.id)).toEqual(issue);
  });

  it('returns an issue and its ancestors, itself first, at most as many as asked for', async () => {
    await using at = await aPlane();
    const top = await at.tracker.create(at.work('top'), at.anIssue());
    const middle = await at.tracker.create(at.work('middle'), at.anIssue({ parent_id: top.id }));
    const leaf = await at.tracker.create(at.work('leaf'), at.anIssue({ parent_id: middle.id }));
    const lineage = (id: string, most: number) => at.tracker.lineage(at.work(), at.within, id, most);

    expect(await lineage(leaf.id, 10)).toEqual([leaf.id, middle.id, top.id]);
    expect(await lineage(leaf.id, 2)).toEqual([leaf.id, middle.id]);
    expect(await lineage(at.project.id, 10)).toEqual([]);
  });

  it('[TSK-21, TSK-23, TSK-26] changes the given fields and nothing else', async () => {
    await using at = await aPlane();
    const issue = await at.tracker.create(
      at.work('a'),
      at.anIssue({ description_html: sanitizeHtml('<p>Why</p>'), label_ids: [at.label.id], target_date: '2026-02-03' }),
    );

    const moved = await at.tracker.update(at.work('b'), issue, { state: at.stateOf('completed'), sort_order: 7.5 });
    const renamed = await at.tracker.update(at.work('c'), moved, { name: 'Other', target_date: null, label_ids: [] });

    expect(moved).toMatchObject({ state: at.stateOf('completed'), sort_order: 7.5, description_html: '<p>Why</p>' });
    expect(renamed).toEqual({ ...moved, name: 'Other', target_date: null, labels: [], updated_at: renamed.updated_at });
  });

  it('empties a description, which Plane does not accept as an empty text', async () => {
    await using at = await aPlane();
    const issue = await at.tracker.create(at.work('a'), at.anIssue({ description_html: sanitizeHtml('<p>Why</p>') }));

    const emptied = await at.tracker.update(at.work('b'), issue, { description_html: null });

    expect(emptied.description_html).toBeNull();
    expect(at.plane.world.items[0]?.description_html).toBe('<p></p>');
  });

  it('keeps content in Plane that Errand does not show, when only blocks change', async () => {
    await using at = await aPlane();
    const issue = await at.tracker.create(at.work('a'), at.anIssue());
    const stored = at.plane.world.items[0];
    if (stored) stored.description_html = '<p>See <image-component src="x" id="1"></image-component></p>';
    const now = await at.tracker.find(at.work(), at.within, issue.id);

    const block = { id: 'b1', type: 'text', text: 'Note' } as const;
    await at.tracker.update(at.work('b'), now ?? issue, { detail_layout: layoutOf([block]) });

    expect(stored?.description_html).toContain('<image-component src="x" id="1"></image-component>');
    expect((await at.tracker.find(at.work(), at.within, issue.id))?.detail_layout).toEqual(layoutOf([block]));
  });

  it('refuses to overwrite a change that a person made in Plane meanwhile', async () => {
    await using at = await aPlane();
    const issue = await at.tracker.create(at.work('a'), at.anIssue({ description_html: sanitizeHtml('<p>Mine</p>') }));
    const stored = at.plane.world.items[0];
    if (stored) stored.description_html = '<p>Theirs</p>';

    const change = at.tracker.update(at.work('b'), issue, { description_html: sanitizeHtml('<p>Mine again</p>') });

    await expect(change).rejects.toMatchObject({ code: 'version_conflict' });
    expect(stored?.description_html).toBe('<p>Theirs</p>');
  });

  it('[TSK-27] restores the assignees when Plane leaves one out', async () => {
    await using at = await aPlane();
    const guest = addUser(at.plane.world, 'Guest');
    addMember(at.plane.world, at.project.id, guest.id, 5);
    const issue = await at.tracker.create(at.work('a'), at.anIssue({ assignee_ids: [at.ada.id] }));

    const change = at.tracker.update(at.work('b'), issue, { assignee_ids: [at.bot.id, guest.id] });

    await expect(change).rejects.toMatchObject({
      code: 'validation_error',
      details: { fields: [{ field: 'assignee_ids', problem: `${guest.id} cannot be assigned` }] },
    });
    expect(at.plane.world.items[0]?.assignees).toEqual([at.ada.id]);
  });

  it('[TSK-32] adds comments and returns the newest with their count, sanitized', async () => {
    await using at = await aPlane();
    const issue = await at.tracker.create(at.work('a'), at.anIssue());
    await at.tracker.comment(at.work('c1'), issue, { comment_html: sanitizeHtml('<p>One</p>') });
    const unclean = '<p>Two</p><script>alert(1)</script>' as CleanHtml;
    const second = await at.tracker.comment(at.work('c2'), issue, { comment_html: unclean });

    const { count, latest } = await at.tracker.comments(at.work(), issue, 1);

    expect(count).toBe(2);
    expect(latest).toEqual([second]);
    expect(second).toMatchObject({
      comment_html: '<p>Two</p>',
      author: { kind: 'user', id: at.bot.id, name: 'errand-bot' },
    });
  });

  it('shows the beginning of a comment that is too long to be sanitized in reasonable time', async () => {
    await using at = await aPlane();
    const issue = await at.tracker.create(at.work('a'), at.anIssue());
    await at.tracker.comment(at.work('c'), issue, { comment_html: sanitizeHtml('<p>x</p>') });
    const [stored] = at.plane.world.comments;
    if (stored) at.plane.world.comments[0] = { ...stored, comment_html: 'long '.repeat(100_000) };

    const { latest } = await at.tracker.comments(at.work(), issue, 1);

    expect(latest[0]?.comment_html).toMatch(/^long .*…<\/p>$/);
    expect(latest[0]?.comment_html.length).toBeLessThan(51_000);
  });

  it('finds no issue in a state of an unknown group', async () => {
    await using at = await aPlane();
    const issue = await at.tracker.create(at.work('a'), at.anIssue());
    for (const state of at.plane.world.states)
      if (state.id === issue.state.id) Object.assign(state, { group: 'triage' });

    expect(await at.tracker.find(at.work(), at.within, issue.id)).toBeNull();
  });

  it('shows nothing dangerous of the text in Plane', async () => {
    await using at = await aPlane();
    const issue = await at.tracker.create(at.work('a'), at.anIssue());
    const comment = await at.tracker.comment(at.work('c'), issue, { comment_html: sanitizeHtml('<p>x</p>') });
    const [stored] = at.plane.world.comments;
    for (const comment_html of XSS_VECTORS)
      if (stored) at.plane.world.comments.push({ ...stored, comment_html, id: randomUUID() });
    const descriptions = XSS_VECTORS.map((html) => meaningOf(takeApart(html)).description_html ?? '');

    const { latest } = await at.tracker.comments(at.work(), issue, 1000);

    expect(latest).toHaveLength(XSS_VECTORS.length + 1);
    expect(latest.at(-1)).toEqual(comment);
    for (const html of [...descriptions, ...latest.map(({ comment_html }) => comment_html)])
      expect(survivorsIn(html)).toEqual([]);
  });

  it('[TSK-16] never requests an issue outside of the granted projects', async () => {
    await using at = await aPlane();
    const other = addProject(at.plane.world, 'Other');
    addMember(at.plane.world, other.id, at.bot.id);
    const issue = await at.tracker.create(at.work('a'), at.anIssue());
    const stored = at.plane.world.items[0];
    if (stored) at.plane.world.items[0] = { ...stored, project: other.id };
    const before = at.plane.requests.length;

    expect(await at.tracker.find(at.work(), at.within, issue.id)).toBeNull();
    expect(at.plane.requests.slice(before).every((request) => request.includes(at.project.id))).toBe(true);
  });

  it('[TSK-16] finds no issue of another project, although Plane returns it', async () => {
    await using at = await aPlane();
    const issue = await at.tracker.create(at.work('a'), at.anIssue());
    const item = {
      ...at.plane.world.items[0],
      project: randomUUID(),
      state: at.stateOf('unstarted'),
      created_by: null,
    };
    at.plane.plan('GET', /work-items/, { kind: 'answers', status: 200, body: JSON.stringify(item) });

    expect(await at.tracker.find(at.work(), at.within, issue.id)).toBeNull();
  });

  it('refuses to overwrite blocks that were edited into more than blocks can hold', async () => {
    await using at = await aPlane();
    const issue = await at.tracker.create(at.work('a'), at.anIssue());
    const stored = at.plane.world.items[0];
    if (stored) stored.description_html = `<p data-id="errand-text-a">${'x'.repeat(10_001)}</p>`;
    const now = (await at.tracker.find(at.work(), at.within, issue.id)) ?? issue;

    const change = at.tracker.update(at.work('b'), now, { detail_layout: layoutOf([]) });

    await expect(change).rejects.toMatchObject({ code: 'conflict' });
    expect(stored?.description_html).toContain('xxx');
  });

  it('finds an issue although another granted project refuses Errand', async () => {
    await using at = await aPlane();
    const closed = addProject(at.plane.world, 'Closed');
    const issue = await at.tracker.create(at.work('a'), at.anIssue());
    const within = { ...at.within, project_ids: [closed.id as ProjectId, at.project_id] };

    expect(await at.tracker.find(at.work(), within, issue.id)).toEqual(issue);
    await expect(at.tracker.find(at.work(), within, randomUUID())).rejects.toMatchObject({
      code: 'tracker_unavailable',
    });
  });

  it('shows a caller who reaches everything only the imported projects', async () => {
    await using at = await aPlane();
    const issue = await at.tracker.create(at.work('a'), at.anIssue());
    const everywhere = { ...at.within, project_ids: 'all' } as const;

    expect(await at.tracker.find(at.work(), everywhere, issue.id)).toBeNull();
    await at.world.ask('admin_import_projects', { idempotency_key: 'k' });
    expect(await at.tracker.find(at.work(), everywhere, issue.id)).toEqual(issue);
  });

  it('keeps blocks in the field of a fork that has one, and leaves its other content', async () => {
    await using at = await aPlane();
    at.plane.world.keeps_layout = true;
    const layout = layoutOf([{ id: 'b1', type: 'checker', items: [{ id: 'i1', text: 'Test', checked: false }] }]);
    const first = await at.tracker.create(at.work('a'), at.anIssue({ detail_layout: layout }));
    const second = await at.tracker.create(at.work('b'), at.anIssue({ detail_layout: layout }));
    for (const item of at.plane.world.items) item.detail_layout = { ...layout, theirs: 1 };

    const changed = await at.tracker.update(at.work('c'), second, { detail_layout: layoutOf([]) });

    expect([first, second].map(({ detail_layout }) => detail_layout)).toEqual([layout, layout]);
    expect(at.plane.world.items.map(({ description_html }) => description_html)).toEqual(['<p></p>', '<p></p>']);
    expect(at.plane.world.items[1]?.detail_layout).toEqual({ ...layoutOf([]), theirs: 1 });
    expect(changed.detail_layout).toEqual(layoutOf([]));
  });

  it.each(['..', '.', '', 'a/b', '../../members', '%2e%2e', `${randomUUID()}/comments`, randomUUID().toUpperCase()])(
    'knows no issue %j and asks Plane nothing',
    async (id) => {
      await using at = await aPlane();

      expect(await at.tracker.find(at.work(), at.within, id)).toBeNull();
      expect(at.plane.requests).toEqual([]);
    },
  );
});
