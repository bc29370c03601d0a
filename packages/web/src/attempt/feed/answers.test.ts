import type { FeedEntry } from 'errand/client';
import { expect, it } from 'vitest';
import type { StoryRow } from '../../api/task.ts';
import { answersOf } from './answers.ts';

const at = (seconds: number): string => new Date(seconds * 1_000).toISOString();
const BY = { kind: 'user', id: 'u1', name: 'Ana Ruiz' } as const;

const entry = (seq: number, seconds: number, text: string): FeedEntry => ({
  execution_id: 'e1',
  seq,
  kind: 'question',
  text,
  at: at(seconds),
});

const asked = (seconds: number, text: string, answer: string | null): StoryRow => ({
  kind: 'question',
  id: `q${seconds}`,
  at: at(seconds),
  by: null,
  question: {
    kind: 'question',
    text,
    details: null,
    executor: null,
    status: answer === null ? 'pending' : 'approved',
    answer,
    answered_by: answer === null ? null : BY,
    answered_at: answer === null ? null : at(seconds + 82),
  },
});

it('finds the answer to each question by its words and its time', () => {
  const entries = [entry(1, 10, 'Which port?'), entry(2, 200, 'Which port?'), entry(3, 300, 'Go on?')];
  const story = [asked(300, 'Go on?', null), asked(200, 'Which port?', '8080'), asked(10, 'Which port?', '80')];

  expect([...answersOf(entries, story)]).toEqual([
    ['e1:1', { by: BY, text: '80', waitedMs: 82_000 }],
    ['e1:2', { by: BY, text: '8080', waitedMs: 82_000 }],
  ]);
});

it('finds a long question that the story has cut', () => {
  const answers = answersOf([entry(1, 10, 'Which of these many ports?')], [asked(10, 'Which of these…', '80')]);

  expect(answers.get('e1:1')?.text).toBe('80');
});
