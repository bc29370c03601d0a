import { describe, expect, it } from 'vitest';
import { say, textOf, type Words } from '#advice';
import { catalog } from '#tools/catalog';
import { cliNaming, spellingOf } from './cli-naming.ts';

const toolNamed = (name: string) => {
  const tool = catalog.find(({ full_name }) => full_name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
};

const typed = (name: string, words: Words): string =>
  textOf(
    words,
    cliNaming(spellingOf(toolNamed(name)), () => true),
  );

describe('words on the command line', () => {
  it.each([
    ['todo_delete_task', say`${{ call: 'todo_list_tasks' }} for ids.`, 'Run errand todo list-tasks for ids.'],
    ['tasker_get_issue', say`Read it with ${{ tool: 'tasker_get_issue' }}.`, 'Read it with errand tasker get-issue.'],
    ['admin_revoke_agent', say`Or ${{ call: 'admin_create_agent' }}.`, 'Or run errand agent create.'],
    ['get_task', say`${{ call: 'list_tasks' }}.`, 'Run errand board list-tasks.'],
    ['admin_create_token', say`Use kind service, or ${{ field: 'user_id' }}.`, 'Use kind service, or --user.'],
    ['admin_revoke_agent', say`Mend ${{ field: 'agent_id' }}.`, 'Mend AGENT-ID.'],
    ['follow_up', say`Use ${{ field: 'action', value: 'queue' }}.`, 'Use --action queue.'],
    ['todo_delete_task', say`It has no ${{ field: 'toString' }}.`, 'It has no toString.'],
    ['todo_delete_task', 'It is not "task_id" or "list_tasks".', 'It is not "task_id" or "list_tasks".'],
    ['todo_delete_task', say`Type ${{ command: 'user list' }}.`, 'Type errand user list.'],
  ])('of %s say for %j: %j', (tool, words, text) => {
    expect(typed(tool, words)).toBe(text);
  });

  it('name every flag at fault', () => {
    const words = say`${{ about: 'user_ids.0' }} is required, unless ${{ field: 'user_id' }} is given; takes less.`;

    expect(textOf(words)).toBe('user_ids.0: is required, unless user_id is given; takes less.');
    expect(typed('admin_create_token', words)).toBe('--users is required, unless --user is given; takes less.');
  });
});
