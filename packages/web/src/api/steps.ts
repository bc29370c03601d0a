import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { listSteps, type Step } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { useEffect } from 'react';
import type { Change } from './change.ts';
import { onChange } from './live-store.ts';
import { withStep } from './step-list.ts';

const PAGE = 200;

/** All steps of a run, in order. They are kept up to date by the events, which carry each step: none is read again. */
export const stepsQuery = (execution: string | null) =>
  queryOptions({
    queryKey: ['steps', execution],
    enabled: execution !== null,
    queryFn: async ({ signal }) => {
      const all: Step[] = [];
      let cursor: string | undefined;
      do {
        const page = await answerOf(
          listSteps(execution ?? '', { limit: PAGE, ...(cursor !== undefined && { cursor }) }, { signal }),
        );
        all.push(...page.steps);
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      return all as readonly Step[];
    },
  });

const isStep = (data: Change['data']): boolean =>
  typeof data?.seq === 'number' && typeof data.step_name === 'string' && typeof data.started_at === 'string';

/** The steps of a run, live. */
export function useSteps(execution: string | null) {
  const client = useQueryClient();
  const { queryKey } = stepsQuery(execution);
  useEffect(
    () =>
      onChange(({ kind, execution_id, data }) => {
        if (execution === null || execution_id !== execution || !kind.startsWith('step.')) return;
        // The event carries the step as the list does.
        if (isStep(data)) client.setQueryData(queryKey, (steps) => steps && withStep(steps, data as unknown as Step));
        else void client.invalidateQueries({ queryKey });
      }),
    [client, execution, queryKey],
  );
  return useQuery(stepsQuery(execution));
}
