import { describe, expect, it } from 'vitest';
import type { Caller } from '#domain/caller';
import type { WorkspaceId } from '#domain/ids';
import { MINIMUM_INSTRUCTION } from '#domain/testing/minimum-instruction';
import { createTrackerWorld } from '#testing/tracker';

interface Found {
  readonly issues: readonly { readonly id: string; readonly name: string }[];
  readonly next_cursor?: string;
}

describe('tasker_search_issues', () => {
  it('[TSK-13] finds by words of name, description and blocks, matches in the name first', async () => {
    await using at = await createTrackerWorld();
    const { robot, project_id } = at;
    const inBlock = await at.issue(robot, {
      project_id,
      name: 'Second',
      detail_layout: { nodedc_structured_blocks: { version: 1, blocks: [{ type: 'text', text: 'A rocket engine' }] } },
    });
    const inName = await at.issue(robot, { project_id, name: 'Rocket' });
    const inText = await at.issue(robot, { project_id, name: 'Third', description_html: '<p>Rockets</p>' });
    await at.issue(robot, { project_id, name: 'Boat' });
    const find = async (query: string) =>
      ((await at.ask(robot, 'tasker_search_issues', { query })) as unknown as Found).issues.map(({ id }) => id);

    expect(await find('rocket')).toEqual([inName, inText, inBlock]);
    expect(await find('ROCK eng')).toEqual([inBlock]);
    expect(await find('!!!')).toEqual([]);
    expect(await find('')).toHaveLength(4);
  });

  it('[TSK-13] sees granted projects only, and only the named one', async () => {
    await using at = await createTrackerWorld();
    const other = await at.project('Other');
    const both = await at.agent({ projects: [at.project_id, other] });
    const here = await at.issue(at.robot, { project_id: at.project_id, name: 'Rocket here' });
    const there = await at.issue(both, { project_id: other, name: 'Rocket there' });
    const find = async (caller: typeof both, project_id?: string) =>
      ((await at.ask(caller, 'tasker_search_issues', { query: 'rocket', project_id })) as unknown as Found).issues
        .map(({ id }) => id)
        .toSorted();

    expect(await find(at.robot)).toEqual([here]);
    expect(await find(both)).toEqual([here, there]);
    expect(await find(both, other)).toEqual([there]);
    expect((await at.refuse(at.robot, 'tasker_search_issues', { project_id: other })).code).toBe('project_not_granted');
  });

  it('[TSK-13] pages by next_cursor without gap or repeat while issues are added', async () => {
    await using at = await createTrackerWorld();
    const { robot, project_id } = at;
    const made: string[] = [];
    for (let i = 0; i < 40; i++) made.push(await at.issue(robot, { project_id, name: `Rocket ${i}` }));

    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = (await at.ask(robot, 'tasker_search_issues', { query: 'rocket', cursor })) as unknown as Found;
      expect(JSON.stringify(page).length).toBeLessThan(4_000);
      seen.push(...page.issues.map(({ id }) => id));
      await at.issue(robot, { project_id, name: 'Rocket between' });
      cursor = page.next_cursor;
    } while (cursor !== undefined);

    expect(seen).toEqual(made.toReversed());
  });

  it('refuses a cursor of another query', async () => {
    await using at = await createTrackerWorld();
    for (const name of ['Rocket one', 'Rocket two']) await at.issue(at.robot, { project_id: at.project_id, name });
    const { next_cursor } = await at.ask(at.robot, 'tasker_search_issues', { query: 'rocket', limit: 1 });

    const error = await at.refuse(at.robot, 'tasker_search_issues', { query: 'one', cursor: next_cursor });

    expect(error.code).toBe('validation_error');
  });
});

describe('tasker_list_projects', () => {
  it('[TSK-11] lists the projects where reading was granted, page by page', async () => {
    await using at = await createTrackerWorld();
    await at.project('Not granted');
    const ids = [at.project_id];
    for (let i = 0; i < 30; i++) ids.push(await at.project(`Project ${i}`));
    const robot = await at.agent({ projects: ids, can_complete: true });

    const seen: Record<string, unknown>[] = [];
    let cursor: unknown;
    do {
      const page = await at.ask(robot, 'tasker_list_projects', { cursor });
      expect(JSON.stringify(page).length).toBeLessThan(4_000);
      seen.push(...(page.projects as Record<string, unknown>[]));
      cursor = page.next_cursor;
    } while (cursor !== undefined);

    expect(seen.map(({ id }) => id)).toEqual(ids);
    expect(seen[0]).toEqual({
      id: at.project_id,
      key: 'ROC',
      name: 'Rocket',
      kind: 'team',
      completion_gate: 'none',
      can_complete: true,
      can_cancel: false,
    });
  });
});

describe('a caller who reaches every project', () => {
  it('lists all of them, and gets an error for an unknown id', async () => {
    await using at = await createTrackerWorld();
    const { owner } = at.world;

    const { projects } = await at.ask(owner, 'tasker_list_projects', {});
    const errors = [
      await at.refuse(owner, 'tasker_get_project_context', { project_id: 'nowhere' }),
      await at.refuse(owner, 'tasker_create_issue', { project_id: 'nowhere', name: 'x' }),
    ];

    expect(projects).toMatchObject([{ kind: 'personal' }, { id: at.project_id, can_complete: true, can_cancel: true }]);
    expect(errors.map(({ code }) => code)).toEqual(['not_found', 'not_found']);
  });
});

describe('tasker_get_project_context', () => {
  it('[TSK-12] answers states, labels, members and how cards are written', async () => {
    await using at = await createTrackerWorld();
    const { project_id, states, world } = at;
    const label = await at.label(project_id, 'red');
    const ada = await at.member(project_id, 'Ada', 'guest');
    await world.ask('admin_update_project', { project_id, card_guide: 'One card per topic.' });

    const context = await at.ask(at.robot, 'tasker_get_project_context', { project_id });

    expect(context).toEqual({
      project: expect.objectContaining({ id: project_id, name: 'Rocket' }),
      states: [
        { id: states.todo, name: 'Todo', group: 'unstarted' },
        { id: states.inprogress, name: 'In progress', group: 'started' },
        { id: states.inreview, name: 'Review', group: 'started' },
        { id: states.done, name: 'Done', group: 'completed' },
        { id: states.cancelled, name: 'Cancelled', group: 'cancelled' },
      ],
      labels: [{ id: label, name: 'red' }],
      members: expect.arrayContaining([{ id: ada, name: 'Ada', role: 'guest', is_active: true }]),
      card_guide: 'One card per topic.',
    });
  });

  it('[TSK-12] cuts long lists and guides, and continues where it cut', async () => {
    await using at = await createTrackerWorld();
    const { project_id, robot, world } = at;
    const names = Array.from({ length: 150 }, (_, i) => `label ${String(i).padStart(3, '0')}`);
    for (const name of names) await at.label(project_id, name);
    for (let i = 0; i < 20; i++) await at.member(project_id, `Member ${i}`);
    const card_guide = 'Say "why" first.\n'.repeat(300).trim();
    await world.ask('admin_update_project', { project_id, card_guide });

    const first = await at.ask(robot, 'tasker_get_project_context', { project_id });
    const whole = await at.ask(robot, 'tasker_get_project_context', { project_id, include: ['card_guide'] });
    const seen = (first.labels as { name: string }[]).map(({ name }) => name);
    let cursor = (first.more as Record<string, string>).labels;
    while (cursor !== undefined) {
      const part = await at.ask(robot, 'tasker_get_project_context', { project_id, part: 'labels', cursor });
      expect(JSON.stringify(part).length).toBeLessThan(4_000);
      seen.push(...(part.labels as { name: string }[]).map(({ name }) => name));
      cursor = (part.more as Record<string, string> | undefined)?.labels;
    }

    expect(JSON.stringify(first).length).toBeLessThan(4_000);
    expect(first.truncated).toEqual(['card_guide']);
    expect(first.more).toMatchObject({ members: expect.any(String) });
    expect(whole.card_guide).toBe(card_guide);
    expect(seen).toEqual(names);
  });
});

describe('cursors of a project context', () => {
  it('belong to the list that made them, and to a row that still exists', async () => {
    await using at = await createTrackerWorld();
    const { project_id, robot } = at;
    const members: string[] = [];
    for (let i = 0; i < 30; i++) members.push(await at.member(project_id, `Member ${i}`));
    const { more, members: shown } = await at.ask(robot, 'tasker_get_project_context', { project_id });
    const cursor = (more as Record<string, string>).members;
    const user_id = (shown as { id: string }[]).at(-1)?.id;

    const errors = [
      await at.refuse(robot, 'tasker_get_project_context', { project_id, cursor }),
      await at.refuse(robot, 'tasker_get_project_context', { project_id, part: 'labels', cursor }),
      await at.refuse(at.world.owner, 'tasker_get_project_context', { project_id, part: 'members', cursor }),
    ];
    await at.world.ask('admin_remove_member', { project_id, user_id });
    errors.push(await at.refuse(robot, 'tasker_get_project_context', { project_id, part: 'members', cursor }));

    expect(errors.map(({ code }) => code)).toEqual(errors.map(() => 'validation_error'));
    expect(errors.map(({ message }) => message.split(':')[0])).toEqual(['part', 'cursor', 'cursor', 'cursor']);
  });
});

describe('tasker_get_agent_instructions', () => {
  it('[TSK-10, TSK-45] answers the rules, the granted projects and the card guides', async () => {
    await using at = await createTrackerWorld({ can_complete: true, scopes: ['workspace:read', 'issue:read'] });
    await at.project('Not granted');
    await at.world.ask('admin_update_workspace', { name: 'Space', guide: 'Be brief.' });
    await at.world.ask('admin_update_project', { project_id: at.project_id, card_guide: 'One card per topic.' });

    const answer = await at.ask(at.robot, 'tasker_get_agent_instructions', {});

    expect(answer).toMatchObject({
      minimum: MINIMUM_INSTRUCTION,
      instructions: expect.stringContaining('idempotency_key'),
      reporting: expect.arrayContaining([expect.stringContaining('not an instruction to you')]),
      workspace: { name: 'Space', guide: 'Be brief.' },
      projects: [
        {
          id: at.project_id,
          name: 'Rocket',
          scopes: ['issue:read', 'workspace:read'],
          can_complete: true,
          can_cancel: false,
        },
      ],
      card_guide: 'One card per topic.',
    });
    expect(answer).not.toHaveProperty('truncated');
  });

  it('[TSK-10, TSK-45] answers the card guide of every granted project, each with its project', async () => {
    await using at = await createTrackerWorld();
    const other = await at.project('Other');
    const silent = await at.project('Silent');
    await at.project('Not granted');
    await at.world.ask('admin_update_project', { project_id: at.project_id, card_guide: 'One card per topic.' });
    await at.world.ask('admin_update_project', { project_id: other, card_guide: 'Say why first. '.repeat(300) });
    const robot = await at.agent({ projects: [at.project_id, other, silent] });

    const answer = await at.ask(robot, 'tasker_get_agent_instructions', {});
    const whole = await at.ask(robot, 'tasker_get_agent_instructions', { include: ['guides'] });

    expect(answer.projects).toMatchObject([
      { id: at.project_id, card_guide: 'One card per topic.' },
      { id: other, card_guide: expect.stringMatching(/^Say why first\. Say why.*…$/) },
      { id: silent },
    ]);
    expect(answer).toMatchObject({ truncated: ['projects.card_guide'] });
    expect(JSON.stringify(answer).length).toBeLessThan(4_000);
    expect(whole.projects).toMatchObject([{}, { card_guide: 'Say why first. '.repeat(300).trim() }, {}]);
    expect(whole).not.toHaveProperty('truncated');
  });

  it('[TSK-10] advise no call that would be refused', async () => {
    await using at = await createTrackerWorld();
    const reader = await at.agent({ projects: [at.project_id], scopes: ['workspace:read', 'issue:read'] });
    const calls = async (caller: typeof reader) => {
      const { reporting, instructions } = await at.ask(caller, 'tasker_get_agent_instructions', {});
      return new Set(JSON.stringify([reporting, instructions]).match(/\btasker_\w+/g));
    };

    expect(await calls(reader)).toEqual(new Set(['tasker_get_issue', 'tasker_get_agent_instructions']));
    expect(await calls(at.robot)).toContain('tasker_finish_work_session');
  });

  it('[TSK-10] stay short with many projects and long guides, and are whole on request', async () => {
    await using at = await createTrackerWorld();
    const ids = [at.project_id];
    for (let i = 0; i < 30; i++) ids.push(await at.project(`Project ${i}`));
    const robot = await at.agent({ projects: ids });
    const guide = 'Say "why" first.\n'.repeat(300).trim();
    await at.world.ask('admin_update_workspace', { guide });
    await at.world.ask('admin_update_project', { project_id: at.project_id, card_guide: guide });

    const all = await at.ask(robot, 'tasker_get_agent_instructions', {});
    const one = await at.ask(robot, 'tasker_get_agent_instructions', { project_id: at.project_id });
    const whole = await at.ask(robot, 'tasker_get_agent_instructions', {
      project_id: at.project_id,
      include: ['guides'],
    });

    expect(JSON.stringify(all).length).toBeLessThan(4_000);
    expect(all.truncated).toEqual(['workspace.guide', 'projects', 'projects.card_guide']);
    expect(all).not.toHaveProperty('card_guide');
    expect(JSON.stringify(one).length).toBeLessThan(4_000);
    expect(one).toMatchObject({ truncated: ['workspace.guide', 'card_guide'], projects: [{ id: at.project_id }] });
    expect(whole).toMatchObject({ card_guide: guide, workspace: { guide } });
  });

  it('tell no user of another workspace its name or guide', async () => {
    await using at = await createTrackerWorld();
    await at.world.ask('admin_update_workspace', { name: 'Space', guide: 'Be brief.' });
    const stranger: Caller = { ...at.robot, workspace_id: 'another' as WorkspaceId };

    const answer = await at.ask(stranger, 'tasker_get_agent_instructions', {});

    expect(answer).toMatchObject({ workspace: { name: '', guide: null }, projects: [] });
  });
});
