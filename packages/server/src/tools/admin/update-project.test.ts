import { expect, it } from 'vitest';
import { createWorld } from '#testing/world';

it('[L-VERIFY] a project takes how attempts are checked and merged, within bounds, and keeps it', async () => {
  await using world = await createWorld();
  const { project_id } = await world.ask('admin_add_project', { name: 'Engine' });
  const settings = {
    require_green: true,
    retry_red: 10,
    merge_mode: 'squash',
    merge_message: '{title} ({key})',
    delete_branch: true,
  };

  const set = await world.ask('admin_update_project', { project_id, ...settings });
  const other = await world.ask('admin_update_project', { project_id, merge_message: '', require_green: false });
  const wrong = [{ retry_red: 11 }, { retry_red: -1 }, { merge_mode: 'octopus' }];

  expect(set).toMatchObject(settings);
  expect(other).toMatchObject({ ...settings, merge_message: null, require_green: false });
  for (const one of wrong) {
    const { code } = await world.refuse('admin_update_project', { project_id, ...one });
    expect(code).toBe('validation_error');
  }
});

it('a project changes in the given fields, and in no others', async () => {
  await using world = await createWorld();
  const { project_id } = await world.ask('admin_add_project', { name: 'Engine', card_guide: 'Short titles.' });

  const gated = await world.ask('admin_update_project', { project_id, completion_gate: 'checkers' });
  const named = await world.ask('admin_update_project', { project_id, name: 'Motor', card_guide: '' });
  const nothing = await world.refuse('admin_update_project', { project_id });
  const unknown = await world.refuse('admin_update_project', { project_id: 'none', name: 'x' });
  const { projects } = await world.ask('admin_list_projects', {});

  const usual = {
    require_green: false,
    retry_red: 0,
    merge_mode: 'merge',
    merge_message: null,
    delete_branch: false,
  };
  expect(gated).toEqual({
    project_id,
    key: 'ENG',
    name: 'Engine',
    card_guide: 'Short titles.',
    completion_gate: 'checkers',
    ...usual,
  });
  expect(named).toEqual({ ...gated, name: 'Motor', card_guide: null });
  expect([nothing.code, unknown.code]).toEqual(['validation_error', 'not_found']);
  expect(projects).toContainEqual({
    project_id,
    key: 'ENG',
    name: 'Motor',
    kind: 'team',
    owner_id: null,
    completion_gate: 'checkers',
  });
});

it('shows the settings of a project with the budgets that hold for it, to admins only', async () => {
  const budgets = { run: { cost_usd: 5 }, projects: { ENG: { tokens_per_day: 900 }, WEB: { minutes_per_day: 1 } } };
  await using world = await createWorld({ budgets: { ...budgets, agents: {} } });
  const { project_id } = await world.ask('admin_add_project', { name: 'Engine', card_guide: 'Short titles.' });
  const set = await world.ask('admin_update_project', { project_id, merge_mode: 'squash', retry_red: 2 });
  const member = await world.callerWith({ scopes: ['board:read'] });

  expect(await world.ask('admin_show_project', { project_id: 'ENG' })).toEqual({
    ...set,
    budgets: [
      { of: 'cost_usd', most: 5, limited: 'a run' },
      { of: 'tokens', most: 900, limited: 'a day of the project' },
    ],
  });
  expect((await world.refuse('admin_show_project', { project_id }, member)).code).toBe('insufficient_scope');
});
