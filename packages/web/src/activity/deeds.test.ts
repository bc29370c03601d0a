import { expect, it } from 'vitest';
import { deedOf, deedsIn } from './deeds.ts';

it('tells a call in words, and only those that it knows', () => {
  expect(deedOf('tasker_move_issue')).toBe('moved');
  expect(deedOf('some_new_tool')).toBeNull();
});

it('tells the end of a git job from the call that asked for it', () => {
  expect(['merge_attempt', 'merge_attempt.done'].map(deedOf)).toEqual(['asked to merge', 'merged']);
});

it('names deeds to choose from as rows do, with the tool only where words are the same', () => {
  expect(deedsIn(['update_task', 'create_step', 'todo_update_task', 'new_tool', 'update_task'])).toEqual([
    { id: 'create_step', label: 'began a step of' },
    { id: 'todo_update_task', label: 'changed', note: 'todo_update_task' },
    { id: 'update_task', label: 'changed', note: 'update_task' },
    { id: 'new_tool', label: 'new_tool' },
  ]);
});
