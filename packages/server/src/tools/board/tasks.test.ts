import { describe, expect, it } from 'vitest';
import { createBoardWorld } from '#testing/board';

const MINUTE = 60_000;

describe('list_tasks', () => {
  it('[B-LIST-1] lists the tasks of a project, of one column, and as many as were asked for', async () => {
    await using board = await createBoardWorld();
    await board.task({ title: 'One' });
    await board.task({ title: 'Two', status: 'inreview' });
    await board.task({ title: 'Three' });

    const titles = async (fields: object) => (await board.list({ ...fields }, board.robot)).map(({ title }) => title);

    expect(await titles({})).toEqual(['Three', 'Two', 'One']);
    expect(await titles({ status: 'todo' })).toEqual(['Three', 'One']);
    expect(await titles({ limit: 1 })).toEqual(['Three']);
  });

  it('[B-LIST-3, B-LIST-S1] summarises the attempts of each task', async () => {
    await using board = await createBoardWorld();
    const untried = await board.task();
    const tried = await board.task();
    await board.attempt(tried, { branch: 'errand/old', run_status: 'running', sessions: ['codex'] });
    board.world.time.now += MINUTE;
    const latest = await board.attempt(tried, {
      branch: 'errand/new',
      run_status: 'failed',
      sessions: ['codex', 'opencode'],
    });

    const [after, before] = await board.list();

    expect(before).toMatchObject({
      task_id: untried,
      latest_attempt_id: null,
      latest_workspace_branch: null,
      latest_session_id: null,
      latest_session_executor: null,
      has_in_progress_attempt: false,
      last_attempt_failed: false,
    });
    expect(after).toMatchObject({
      task_id: tried,
      latest_attempt_id: latest.id,
      latest_workspace_branch: 'errand/new',
      latest_session_id: latest.sessions[1]?.id,
      latest_session_executor: 'opencode',
      has_in_progress_attempt: true,
      last_attempt_failed: true,
    });
  });

  it('[B-LIST-2] takes the smallest id for the latest of several attempts made at one time', async () => {
    await using board = await createBoardWorld();
    const task = await board.task();
    await board.attempt(task, { id: 'b0000000-0000-7000-8000-000000000000' });
    const smallest = await board.attempt(task, { id: 'a0000000-0000-7000-8000-000000000000' });

    const [row] = await board.list();

    expect(row?.latest_attempt_id).toBe(smallest.id);
  });

  it('names the columns when an unknown one is asked for', async () => {
    await using board = await createBoardWorld();

    const error = await board.world.refuse('list_tasks', { project_id: board.project_id, status: 'nowhere' });

    expect(error).toMatchObject({
      code: 'validation_error',
      message: 'status: must be one of todo, inprogress, inreview, done, cancelled.',
    });
  });

  it('with ready lists the tasks that next_task would claim, in that order', async () => {
    await using board = await createBoardWorld();
    const later = await board.task({ title: 'Later' });
    const urgent = await board.task({ title: 'Urgent', priority: 'urgent' });
    await board.task({ title: 'Waits', blocked_by: [later] });
    await board.task({ title: 'Begun', status: 'inprogress' });
    await board.task({ title: 'Done', status: 'done' });
    const attempted = await board.task({ title: 'Attempted' });
    await board.attempt(attempted, { run_status: 'queued' });

    const ready = await board.list({ ready: true });

    expect(ready.map(({ task_id, is_ready }) => [task_id, is_ready])).toEqual([
      [urgent, true],
      [later, true],
    ]);
    expect((await board.list()).filter(({ is_ready }) => is_ready)).toHaveLength(2);
  });

  it('pages through the ready tasks', async () => {
    await using board = await createBoardWorld();
    const titles = ['A', 'B', 'C', 'D', 'E'];
    const made: string[] = [];
    for (const title of titles) made.push(await board.task({ title, ...(title === 'B' && { blocked_by: made }) }));

    const seen: unknown[] = [];
    let cursor: unknown;
    do {
      const page = await board.world.ask('list_tasks', {
        project_id: board.project_id,
        ready: true,
        limit: 1,
        ...(cursor !== undefined && { cursor }),
      });
      seen.push(...(page.tasks as { title: string }[]).map(({ title }) => title));
      cursor = page.next_cursor;
    } while (cursor !== undefined);

    expect(seen).toEqual(['A', 'C', 'D', 'E']);
  });

  it('returns no more than clients show, and continues from there', async () => {
    await using board = await createBoardWorld();
    for (let i = 0; i < 12; i++) await board.task({ title: `${i} ${'"'.repeat(200)}` });

    const first = await board.world.ask('list_tasks', { project_id: board.project_id });
    const second = await board.world.ask('list_tasks', { project_id: board.project_id, cursor: first.next_cursor });

    expect(JSON.stringify(first).length).toBeLessThanOrEqual(4_000);
    const [last] = (first.tasks as { title: string }[]).slice(-1);
    const [next] = second.tasks as { title: string }[];
    expect(Number(next?.title.split(' ')[0])).toBe(Number(last?.title.split(' ')[0]) - 1);
  });
});

describe('list_task_attempts', () => {
  it('[B-ATTEMPTS-1, B-ATTEMPTS-2, B-ATTEMPTS-3, B-ATTEMPTS-S1] lists attempts newest first and names the latest', async () => {
    await using board = await createBoardWorld();
    const task = await board.task();
    const old = await board.attempt(task, { branch: 'errand/old', sessions: ['codex'] });
    board.world.time.now += MINUTE;
    const second = await board.attempt(task, { id: 'f0000000-0000-7000-8000-000000000000', sessions: ['codex'] });
    const first = await board.attempt(task, { id: 'e0000000-0000-7000-8000-000000000000', sessions: ['opencode'] });

    const answer = await board.world.ask('list_task_attempts', { task_id: task }, board.robot);

    expect(answer).toMatchObject({ latest_attempt_id: first.id, latest_session_id: first.sessions[0]?.id });
    expect(answer.attempts).toEqual([
      expect.objectContaining({ attempt_id: first.id, latest_session_executor: 'opencode' }),
      expect.objectContaining({ attempt_id: second.id }),
      {
        attempt_id: old.id,
        key: 'ROC-1.1',
        state: 'queued',
        verdict: null,
        reason: null,
        status: null,
        workspace_branch: 'errand/old',
        created_at: '2026-01-01T00:00:00.000Z',
        updated_at: '2026-01-01T00:00:00.000Z',
        latest_session_id: old.sessions[0]?.id,
        latest_session_executor: 'codex',
      },
    ]);
  });

  it('[B-ATTEMPTS-S2] answers null for the session of an attempt that has none', async () => {
    await using board = await createBoardWorld();
    const task = await board.task();
    await board.attempt(task);

    const answer = await board.world.ask('list_task_attempts', { task_id: task });

    expect(answer).toMatchObject({ latest_session_id: null });
    expect(answer.attempts).toMatchObject([{ latest_session_id: null, latest_session_executor: null }]);
  });

  it('continues after the page before, between attempts made at one time too', async () => {
    await using board = await createBoardWorld();
    const task = await board.task();
    for (const letter of ['d', 'c', 'b', 'e'])
      await board.attempt(task, { id: `${letter}0000000-0000-7000-8000-000000000000` });

    const first = await board.world.ask('list_task_attempts', { task_id: task, limit: 2 });
    const rest = await board.world.ask('list_task_attempts', { task_id: task, limit: 2, cursor: first.next_cursor });

    const letters = [first, rest].flatMap(({ attempts }) =>
      (attempts as { attempt_id: string }[]).map(({ attempt_id }) => attempt_id[0]),
    );
    expect(letters).toEqual(['b', 'c', 'd', 'e']);
    expect(rest).toMatchObject({ latest_attempt_id: 'b0000000-0000-7000-8000-000000000000' });
    expect(rest).not.toHaveProperty('next_cursor');
  });
});

describe('the ticks of a task', () => {
  it('say who ticked which criterion and when, and only while it is ticked', async () => {
    await using board = await createBoardWorld();
    const { world, task, agent, project_id } = board;
    const task_id = await task();
    const bot = await agent({
      projects: [project_id],
      scopes: ['issue:read', 'issue:structured_blocks:write', 'project:read'],
    });
    let calls = 0;
    const patch = (change: object, caller?: typeof bot) => {
      calls += 1;
      const asked = { issue_id: task_id, idempotency_key: `patch-${calls}`, ...change };
      return world.ask('tasker_update_structured_blocks', asked, caller);
    };
    const items = [
      { id: 'a', text: 'It works', checked: true },
      { id: 'b', text: 'It is fast' },
    ];
    const ticks = async () => (await world.ask('get_task', { task_id, include: ['ticks'] })).ticks;

    await patch({ action: 'replace_blocks', blocks: [{ id: 'c', type: 'checker', items }] });
    const first = new Date(world.time.now).toISOString();
    world.time.now += 60_000;
    await patch({ action: 'update_checker_item', item_id: 'b', checked: true }, bot);
    const both = await ticks();
    await patch({ action: 'update_checker_item', item_id: 'a', checked: false });

    expect(both).toMatchObject([
      { item: 'a', by: { kind: 'user', name: 'owner' }, at: first },
      { item: 'b', by: { kind: 'agent' } },
    ]);
    expect(await ticks()).toMatchObject([{ item: 'b' }]);
    expect(await world.ask('get_task', { task_id })).not.toHaveProperty('ticks');
  });
});
