import { expect, inject, it } from 'vitest';
import { openPostgresTrail } from '#testing/open-trail';
import { createWorld } from '#testing/world';

it('finds names and words on PostgreSQL, whose unions need types, as in SQLite', async () => {
  await using trail = await openPostgresTrail(inject('postgresUrl'));
  const world = await createWorld({ open: async () => trail.store });
  const { project_id } = await world.ask('admin_add_project', { name: 'Engine', key: 'ENG' });
  const { task_id } = await world.ask('create_task', { project_id, title: 'Fix the login' });
  await world.ask('admin_add_label', { project_id, name: 'docs' });
  const { approval_id } = await world.ask('ask_person', { task_id, question: 'Which port?', wait_ms: 0 });
  await world.ask('respond_approval', { approval_id, answer: '5432' });

  const { entries } = await world.ask('admin_list_audit', {});

  expect(entries).toMatchObject([
    { action: 'respond_approval', entity_name: 'ENG-1', entity_words: 'Which port?', entity_answer: '5432' },
    { action: 'ask_person', entity_title: 'Fix the login', entity_project: 'ENG' },
    { action: 'admin_add_label', entity_name: 'docs', entity_project: 'ENG', entity_words: null },
    { action: 'create_task', entity_name: 'ENG-1', entity_answer: null },
    { action: 'admin_add_project', entity_name: 'Engine', entity_project: 'ENG' },
  ]);
  expect(await world.ask('admin_show_operations', {})).toMatchObject({
    database: { kind: 'postgres', version: expect.stringMatching(/^\d+/) },
    disk: null,
  });
});
