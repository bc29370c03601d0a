import { expect, it } from 'vitest';
import type { StoryRow } from '../api/task.ts';
import { answerOf, deedOf, storyOf } from './story-model.ts';

const ANA = { kind: 'user', id: 'u1', name: 'Ana' } as const;
const KITE = { kind: 'agent', id: 'a1', name: 'kite' } as const;

const row = (id: string, fields: Partial<StoryRow> = {}): StoryRow => ({
  kind: 'change',
  id,
  at: `2026-11-16T15:0${id}:00Z`,
  by: ANA,
  action: 'update_task',
  ...fields,
});

it('lists the oldest change first, and equal changes of one person once, with the time of the last', () => {
  const story = storyOf([
    row('5', { by: KITE }),
    row('4', { kind: 'comment', comment_html: 'Hm' }),
    row('3'),
    row('2'),
    row('1'),
  ]);

  expect(story.map(({ id, times }) => [id, times])).toEqual([
    ['3', 3],
    ['4', 1],
    ['5', 1],
  ]);
});

it('keeps equal changes of two people apart', () => {
  expect(storyOf([row('2', { by: KITE }), row('1')])).toHaveLength(2);
});

it('names a call that it has no words for', () => {
  expect(deedOf('tasker_move_issue')).toBe('moved the task');
  expect(deedOf('admin_do_it')).toBe('called admin_do_it');
});

it.each([
  ['question', 'approved', 'At once.', 'At once.'],
  ['question', 'pending', null, 'Waits for an answer'],
  ['question', 'expired', null, 'Nobody answered while it mattered'],
  ['question', 'denied', null, 'You decide'],
  ['permission', 'approved', null, 'Approved'],
  ['permission', 'denied', null, 'Denied'],
] as const)('says what became of a %s that is %s', (kind, status, answer, words) => {
  const nobody = { details: null, executor: null, answered_by: null, answered_at: null };

  expect(answerOf({ ...nobody, kind, text: 'When?', status, answer })).toBe(words);
});
