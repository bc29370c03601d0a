import { expect, it } from 'vitest';
import { deedOf } from './deeds.ts';

it('tells a call in words, and only those that it knows', () => {
  expect(deedOf('tasker_move_issue')).toBe('moved');
  expect(deedOf('some_new_tool')).toBeNull();
});
