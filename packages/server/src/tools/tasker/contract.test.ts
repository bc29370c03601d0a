import { expect, it } from 'vitest';
import { catalog } from '#tools/catalog';

// Written out by hand: a list computed from the tools could not find a wrong scope.
const SCOPES = {
  tasker_get_agent_instructions: ['workspace:read'],
  tasker_list_projects: ['project:read'],
  tasker_list_work_reports: ['project:read'],
  tasker_get_project_context: ['project:read'],
  tasker_search_issues: ['issue:read'],
  tasker_get_issue: ['issue:read'],
  tasker_create_issue: ['issue:create'],
  tasker_update_issue: ['issue:update'],
  tasker_move_issue: ['issue:move'],
  tasker_set_issue_labels: ['issue:label'],
  tasker_assign_issue: ['issue:assign'],
  tasker_add_existing_project_member: ['project:member:add_existing'],
  tasker_append_comment: ['issue:comment'],
  tasker_update_structured_blocks: ['issue:structured_blocks:write'],
  tasker_start_work_session: ['issue:comment'],
  tasker_finish_work_session: ['issue:comment', 'issue:structured_blocks:write'],
};

const READING = [
  'tasker_get_agent_instructions',
  'tasker_list_projects',
  'tasker_list_work_reports',
  'tasker_get_project_context',
  'tasker_search_issues',
  'tasker_get_issue',
];

const tools = catalog.filter(({ profile }) => profile === 'tasker');

it('the profile has the tools of its contract and no others, each with its scopes', () => {
  expect(Object.fromEntries(tools.map(({ name, scopes }) => [name, scopes]))).toEqual(SCOPES);
});

it('[TSK-37] every tool that writes requires an idempotency key', () => {
  const keyless = tools.filter(({ needs_key }) => !needs_key).map(({ name }) => name);

  expect(keyless).toEqual(READING);
});

it('blocks in a layout also need their own scope', () => {
  const extra = tools.filter(({ field_scopes }) => Object.keys(field_scopes).length > 0);

  expect(extra.map(({ name, field_scopes }) => [name, field_scopes])).toEqual([
    ['tasker_create_issue', { detail_layout: 'issue:structured_blocks:write' }],
    ['tasker_update_issue', { detail_layout: 'issue:structured_blocks:write' }],
  ]);
});
