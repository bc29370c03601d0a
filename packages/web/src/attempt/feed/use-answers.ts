import { useQuery } from '@tanstack/react-query';
import type { FeedEntry } from 'errand/client';
import { useMemo } from 'react';
import { questionsQuery, type StoryRow } from '../../api/task.ts';
import { type Answered, answersOf } from './answers.ts';

const NO_QUESTIONS: readonly StoryRow[] = [];

/** The answers to the questions among these entries of a task's attempt. Nothing is read where none was asked. */
export function useAnswers(task_id: string, entries: readonly FeedEntry[]): ReadonlyMap<string, Answered> {
  const { data: questions = NO_QUESTIONS } = useQuery({
    ...questionsQuery(task_id),
    enabled: entries.some(({ kind }) => kind === 'question'),
  });
  return useMemo(() => answersOf(entries, questions), [entries, questions]);
}
