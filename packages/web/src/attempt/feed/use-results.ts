import { useQueries } from '@tanstack/react-query';
import type { FeedEntry } from 'errand/client';
import { useMemo } from 'react';
import type { Attempt } from '../../api/attempts.ts';
import { stepsQuery } from '../../api/steps.ts';
import { type Result, resultsOf } from './results.ts';

/** What became of the calls among these entries, with the steps of their runs. */
export function useResults(attempt: Attempt, entries: readonly FeedEntry[]): ReadonlyMap<string, Result> {
  const runs = useMemo(() => [...new Set(entries.map(({ execution_id }) => execution_id))], [entries]);
  const steps = useQueries({
    // Their events are followed by the page, which has read the steps of the run that goes on.
    queries: runs.map((run) => ({ ...stepsQuery(run), staleTime: Number.POSITIVE_INFINITY })),
    combine: (read) => read.map(({ data }) => data),
  });
  const running = attempt.run?.status === 'running' ? attempt.run.execution_id : null;
  return useMemo(() => {
    const known = new Map(runs.flatMap((run, at) => (steps[at] === undefined ? [] : [[run, steps[at]] as const])));
    return resultsOf(entries, { steps: known, running });
  }, [entries, runs, steps, running]);
}
