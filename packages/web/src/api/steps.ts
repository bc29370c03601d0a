import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { listSteps, type Step } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { useCallback, useEffect, useMemo } from 'react';
import type { Change } from './change.ts';
import { useLateEvents } from './late-events.ts';
import { onChange } from './live-store.ts';
import { withStep } from './step-list.ts';

const PAGE = 200;

/**
 * All steps of a run, in order. The events carry each step, and are followed while a page shows them: they are read once
 * for each page.
 */
export const stepsQuery = (execution: string | null) =>
  queryOptions({
    queryKey: ['steps', execution],
    enabled: execution !== null,
    staleTime: 0,
    queryFn: async ({ signal }): Promise<readonly Step[]> => {
      const all: Step[] = [];
      let cursor: string | undefined;
      do {
        const page = await answerOf(
          listSteps(execution ?? '', { limit: PAGE, ...(cursor !== undefined && { cursor }) }, { signal }),
        );
        all.push(...page.steps);
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      return all;
    },
  });

const isStep = (data: Change['data']): boolean =>
  typeof data?.seq === 'number' && typeof data.step_name === 'string' && typeof data.started_at === 'string';

/** The steps of a run, live. */
export function useSteps(execution: string | null) {
  const client = useQueryClient();
  const query = useMemo(() => stepsQuery(execution), [execution]);
  const { queryKey } = query;
  const add = useLateEvents(
    queryKey,
    useCallback(
      (step: Step) => client.setQueryData(queryKey, (steps) => steps && withStep(steps, step)),
      [client, queryKey],
    ),
  );
  useEffect(
    () =>
      onChange(({ kind, execution_id, data }) => {
        if (execution === null || execution_id !== execution || !kind.startsWith('step.')) return;
        // The event carries the step as the list does.
        if (isStep(data)) add(data as unknown as Step);
        else void client.invalidateQueries({ queryKey });
      }),
    [client, execution, queryKey, add],
  );
  return useQuery(query);
}
