import { describe, expect, it } from 'vitest';
import { catalog } from '#tools/catalog';
import { asTyped } from './as-typed.ts';

const toolNamed = (name: string) => {
  const tool = catalog.find(({ full_name }) => full_name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
};

const failure = { code: 'validation_error', retryable: false, correlation_id: 'c1' };
const typed = (name: string, message: string, more: object = {}) =>
  asTyped(toolNamed(name), { ...failure, message, ...more });

describe('errors as people typed', () => {
  it.each([
    ['todo_delete_task', 'Call list_tasks for ids.', 'Run errand todo list-tasks for ids.'],
    ['todo_delete_task', 'Call todo_list_tasks.', 'Run errand todo list-tasks.'],
    ['tasker_get_issue', 'Read it with tasker_get_issue, please.', 'Read it with errand tasker get-issue, please.'],
    ['admin_revoke_agent', 'Use create_agent.', 'Use errand agent create.'],
    ['get_task', 'Call list_tasks.', 'Run errand board list-tasks.'],
    ['tasker_get_issue', 'Call complete_task.', 'Call complete_task.'],
    ['admin_create_token', 'Use kind service, or user_id.', 'Use kind service, or --user.'],
    ['admin_revoke_agent', 'Mend agent_id.', 'Mend AGENT-ID.'],
    ['todo_delete_task', 'No task my-task_id.', 'No task my-task_id.'],
    ['todo_delete_task', 'No task 1list_tasks.', 'No task 1list_tasks.'],
    ['todo_delete_task', 'It is not "task_id" or "list_tasks".', 'It is not "task_id" or "list_tasks".'],
  ])('of %s say for %j: %j', (tool, ours, theirs) => {
    expect(typed(tool, ours, { hint: ours })).toMatchObject({ message: theirs, hint: theirs });
  });

  it.each([
    ['user_ids: only a service token lists users.', '--users: only a service token lists users.'],
    ['scopes: no agent may hold admin.', '--scopes: no agent may hold admin.'],
    ['Plane: no answer.', 'Plane: no answer.'],
    ['toString: no field.', 'toString: no field.'],
  ])('name the field that %j begins with', (ours, theirs) => {
    expect(typed('admin_create_token', ours).message).toBe(theirs);
  });

  it('name every flag at fault', () => {
    const fields = [
      { field: 'user_ids.0', problem: 'is required, unless user_id is given' },
      { field: '', problem: 'takes less' },
    ];

    expect(typed('admin_create_token', 'unused', { details: { fields } }).message).toBe(
      '--users is required, unless --user is given; takes less.',
    );
  });
});
