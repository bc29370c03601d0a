import { describe, expect, it } from 'vitest';
import { ErrandError } from '#errors';
import { localTracker } from '#services/tasker/local-tracker';
import { createTrackerWorld } from '#testing/tracker';
import { countedIds } from '#testing/world';

interface Latest {
  readonly latest: readonly { readonly comment_html: string }[];
}

describe('tasker_append_comment', () => {
  it('[TSK-32] adds a comment in the name of the caller, newest first', async () => {
    await using at = await createTrackerWorld();
    const issue_id = await at.issue(at.robot, { project_id: at.project_id, name: 'x' });

    const { comment } = await at.ask(at.robot, 'tasker_append_comment', { issue_id, comment_html: '<p>One</p>' });
    await at.ask(at.world.owner, 'tasker_append_comment', { issue_id, comment_html: 'Two < 3' });
    const { comments } = await at.read(at.robot, issue_id);

    expect(comment).toMatchObject({ issue_id, author: { kind: 'agent', id: at.robot.agent_id, name: 'Robot' } });
    expect(comments).toMatchObject({
      count: 2,
      latest: [
        { comment_html: 'Two &lt; 3', author: { kind: 'user', id: at.world.owner.user_id, name: 'owner' } },
        { comment_html: '<p>One</p>', author: { kind: 'agent' } },
      ],
    });
  });

  it('refuses a comment without visible text', async () => {
    await using at = await createTrackerWorld();
    const issue_id = await at.issue(at.robot, { project_id: at.project_id, name: 'x' });

    const codes = [];
    for (const comment_html of [
      '',
      ' ',
      '<p></p>',
      '<script>alert(1)</script>',
      '<hr>',
      '&#8203;',
      'x'.repeat(60_000),
    ]) {
      codes.push((await at.refuse(at.robot, 'tasker_append_comment', { issue_id, comment_html })).code);
    }

    expect(codes).toEqual(codes.map(() => 'validation_error'));
  });

  it('answers an issue of another project like an unknown one', async () => {
    await using at = await createTrackerWorld();
    const project_id = await at.project('Other');
    const foreign = await at.issue(await at.agent({ projects: [project_id] }), { project_id, name: 'Secret' });

    const messages = [];
    for (const issue_id of [foreign, 'nowhere']) {
      const error = await at.refuse(at.robot, 'tasker_append_comment', { issue_id, comment_html: 'x' });
      messages.push(`${error.code} ${error.message.replace(issue_id, 'ID')}`);
    }

    expect(messages[0]).toBe('not_found No issue ID in the projects where you may do this.');
    expect(messages[0]).toBe(messages[1]);
  });
});

describe('work sessions', () => {
  it('[TSK-35, TSK-36] start on an issue and end with a comment and a note on it', async () => {
    await using at = await createTrackerWorld();
    const { robot, project_id } = at;
    const issue_id = await at.issue(robot, { project_id, name: 'x' });

    const started = await at.ask(robot, 'tasker_start_work_session', { issue_id });
    const { id } = started.work_session as { id: string };
    const finished = await at.ask(robot, 'tasker_finish_work_session', {
      work_session_id: id,
      summary: 'Welded <it>',
      validation: 'npm test: 12 passed\nlint: clean',
    });
    const issue = await at.read(robot, issue_id);

    expect(started).toEqual({
      work_session: { id, project_id, issue_id, status: 'running', started_at: '2026-01-01T00:00:00.000Z' },
    });
    expect(finished).toMatchObject({ work_session: { id, status: 'completed' }, comment_id: expect.any(String) });
    const [comment] = (issue.comments as Latest).latest;
    expect(comment?.comment_html).toContain('Welded &lt;it&gt;');
    expect(comment?.comment_html).toContain('npm test: 12 passed');
    expect(issue.detail_layout).toMatchObject({
      nodedc_structured_blocks: {
        blocks: [
          {
            title: 'Implementation notes',
            text: `2026-01-01: work session ${id}: Welded <it>\n  Validation:\n  - npm test: 12 passed\n  - lint: clean`,
          },
        ],
      },
    });
  });

  it('[TSK-35] start on a project, also on the only one without naming it', async () => {
    await using at = await createTrackerWorld();
    const { project_id } = at;
    const roaming = await at.agent({ projects: [project_id, await at.project('Other')] });

    const only = await at.ask(at.robot, 'tasker_start_work_session', {});
    const named = await at.ask(roaming, 'tasker_start_work_session', { project_id });
    const unclear = await at.refuse(roaming, 'tasker_start_work_session', {});
    const { id } = named.work_session as { id: string };
    const finished = await at.ask(roaming, 'tasker_finish_work_session', { work_session_id: id, summary: 'Planned' });

    expect(only.work_session).toMatchObject({ project_id, status: 'running' });
    expect(unclear).toMatchObject({ code: 'validation_error', message: expect.stringContaining('project_id') });
    expect(finished).not.toHaveProperty('comment_id');
    const kept = await at.world.store.reads.runs.find(
      { workspace_id: roaming.workspace_id, project_ids: 'all' },
      id as never,
    );
    expect(kept).toMatchObject({ kind: 'external', status: 'completed', summary: 'Planned' });
    const [entry] = await at.world.store.reads.audit.list(roaming.workspace_id, { before: null, limit: 1 });
    expect(entry).toMatchObject({ entity_id: id, before_digest: expect.any(String), after_digest: expect.any(String) });
  });

  it('[TSK-36] are finished by the caller who started them, and once', async () => {
    await using at = await createTrackerWorld();
    const other = await at.agent({ projects: [at.project_id] });
    const { work_session } = await at.ask(at.robot, 'tasker_start_work_session', {});
    const finish = { work_session_id: (work_session as { id: string }).id, summary: 'Done' };

    const foreign = await at.refuse(other, 'tasker_finish_work_session', finish);
    const unknown = await at.refuse(other, 'tasker_finish_work_session', { ...finish, work_session_id: 'nothing' });
    await at.ask(at.robot, 'tasker_finish_work_session', finish);
    const twice = await at.refuse(at.robot, 'tasker_finish_work_session', finish);

    expect(foreign.code).toBe('not_found');
    expect(foreign.message.replace(finish.work_session_id, 'nothing')).toBe(unknown.message);
    expect(twice).toMatchObject({ code: 'conflict', message: expect.stringContaining('finished already') });
  });

  it('of a person are not finished by another', async () => {
    await using at = await createTrackerWorld();
    const scopes = ['issue:comment', 'issue:structured_blocks:write'];
    const [ada, bob] = [await at.member(at.project_id, 'Ada'), await at.member(at.project_id, 'Bob')];
    const [hers, his] = [
      await at.world.callerWith({ user_id: ada, scopes }),
      await at.world.callerWith({ user_id: bob, scopes }),
    ];
    const { work_session } = await at.ask(hers, 'tasker_start_work_session', { project_id: at.project_id });
    const finish = { work_session_id: (work_session as { id: string }).id, summary: 'Done' };

    const foreign = await at.refuse(his, 'tasker_finish_work_session', finish);
    const own = await at.ask(hers, 'tasker_finish_work_session', finish);

    expect(foreign.code).toBe('not_found');
    expect(own).toMatchObject({ work_session: { status: 'completed' } });
  });

  it('[TSK-36] are noted, even if a forged note names the session', async () => {
    await using at = await createTrackerWorld();
    const { robot, project_id } = at;
    const issue_id = await at.issue(robot, { project_id, name: 'x' });
    const { id } = (await at.ask(robot, 'tasker_start_work_session', { issue_id })).work_session as { id: string };
    const forged = { issue_id, action: 'append_text_block', text: `work session ${id}: approved` };
    await at.ask(robot, 'tasker_update_structured_blocks', forged);

    await at.ask(robot, 'tasker_finish_work_session', { work_session_id: id, summary: 'All broken' });

    expect(JSON.stringify((await at.read(robot, issue_id)).detail_layout)).toContain('All broken');
  });

  it('[TSK-36] leave nothing behind when the report cannot be written', async () => {
    await using at = await createTrackerWorld({
      tracker: { update: () => Promise.reject(new Error('no room')) },
    });
    const issue_id = await at.issue(at.robot, { project_id: at.project_id, name: 'x' });
    const { work_session } = await at.ask(at.robot, 'tasker_start_work_session', { issue_id });
    const { id } = work_session as { id: string };

    const error = await at.refuse(at.robot, 'tasker_finish_work_session', { work_session_id: id, summary: 'Done' });
    const session = await at.world.store.reads.runs.find(
      { workspace_id: at.robot.workspace_id, project_ids: 'all' },
      id as never,
    );

    expect(error.code).toBe('internal');
    expect(session?.status).toBe('running');
    expect(await at.read(at.robot, issue_id)).toMatchObject({ comments: { count: 0 } });
  });

  it('[TSK-36] are noted once, though the answer to the first note was lost', async () => {
    const local = localTracker({ ids: countedIds() });
    let isFirst = true;
    const update: typeof local.update = async (...change) => {
      const changed = await local.update(...change);
      if (!isFirst) return changed;
      isFirst = false;
      throw new ErrandError('tracker_unavailable', 'The tracker did not answer.');
    };
    await using at = await createTrackerWorld({ tracker: { is_local: false, update } });
    const issue_id = await at.issue(at.robot, { project_id: at.project_id, name: 'x' });
    const { work_session } = await at.ask(at.robot, 'tasker_start_work_session', { issue_id });
    const { id } = work_session as { id: string };
    const finish = { work_session_id: id, summary: 'Done', idempotency_key: 'finish' };

    const lost = await at.refuse(at.robot, 'tasker_finish_work_session', finish);
    await at.ask(at.robot, 'tasker_finish_work_session', finish);
    const { detail_layout } = await at.read(at.robot, issue_id);

    expect(lost.code).toBe('tracker_unavailable');
    expect(JSON.stringify(detail_layout).split(`work session ${id}`)).toHaveLength(2);
  });
});

describe('tasker_list_work_reports', () => {
  it('[TSK-36] shows a finished session about a whole project to everyone who may read the project', async () => {
    await using at = await createTrackerWorld();
    const { project_id } = at;
    const issue_id = await at.issue(at.robot, { project_id, name: 'x' });
    const finish = async (input: object, summary: string): Promise<string> => {
      const { work_session } = await at.ask(at.robot, 'tasker_start_work_session', input);
      const { id } = work_session as { id: string };
      await at.ask(at.robot, 'tasker_finish_work_session', { work_session_id: id, summary });
      return id;
    };
    const first = await finish({ project_id }, 'Planned the release');
    const second = await finish({ issue_id }, `Welded ${'it '.repeat(400)}`);
    await at.ask(at.robot, 'tasker_start_work_session', { project_id });
    const reader = await at.agent({ projects: [project_id], scopes: ['project:read'] });

    const short = await at.ask(reader, 'tasker_list_work_reports', { project_id });
    const whole = await at.ask(reader, 'tasker_list_work_reports', { project_id, include: ['summaries'], limit: 1 });

    expect(short.reports).toMatchObject([
      { work_session_id: second, issue_id, summary: expect.stringMatching(/^Welded it .*…$/) },
      { work_session_id: first, summary: 'Planned the release', author: { kind: 'agent', name: 'Robot' } },
    ]);
    expect(short.truncated).toEqual(['summary']);
    expect(whole).toMatchObject({
      reports: [{ summary: `Welded ${'it '.repeat(400)}`.trim() }],
      next_cursor: expect.any(String),
    });
    const rest = await at.ask(reader, 'tasker_list_work_reports', { project_id, cursor: whole.next_cursor });
    expect(rest.reports).toMatchObject([{ work_session_id: first }]);
  });

  it('shows no report of a project that was not granted, and none without project:read', async () => {
    await using at = await createTrackerWorld();
    const other = await at.project('Other');
    const commenter = await at.agent({ projects: [at.project_id], scopes: ['issue:comment'] });

    const foreign = await at.refuse(at.robot, 'tasker_list_work_reports', { project_id: other });
    const unscoped = await at.refuse(commenter, 'tasker_list_work_reports', { project_id: at.project_id });

    expect([foreign.code, unscoped.code]).toEqual(['project_not_granted', 'insufficient_scope']);
  });
});
