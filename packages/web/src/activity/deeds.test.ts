import { expect, it } from 'vitest';
import { deedOf, deedsIn, sentenceOf } from './deeds.ts';

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

it('says a step with its run, and what has no thing as a whole sentence', () => {
  const of = (action: string, entity_id: string | null = '7') => sentenceOf({ action, entity_id });

  expect(of('create_step')).toEqual({ words: 'began the step', shows: 'step' });
  expect(of('update_task')).toEqual({ words: 'changed', shows: 'thing' });
  expect(of('admin_sign_in')).toEqual({ words: 'signed in with a password', shows: 'nothing' });
  expect(of('next_task', null)).toEqual({ words: 'asked for a task, and found none', shows: 'nothing' });
  expect(of('some_new_tool')).toBeNull();
});
