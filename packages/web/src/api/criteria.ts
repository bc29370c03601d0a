import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { taskerGetIssue } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { useToasts } from '../ui/toast.tsx';
import { reasonOf } from './client.ts';
import { readAfterShown, SHOWN_FIRST } from './shown-first.ts';
import { writeTick } from './write-blocks.ts';

export interface Criterion {
  readonly id: string;
  readonly text: string;
  readonly checked: boolean;
}

/** The acceptance criteria of a task: the items of its checklists. */
export const criteriaQuery = (task: string) =>
  queryOptions({
    queryKey: ['task', task, 'criteria'],
    queryFn: async ({ signal }): Promise<readonly Criterion[]> => {
      const { issue } = await answerOf(taskerGetIssue(task, { include: ['blocks'] }, { signal }));
      const blocks = issue.detail_layout?.nodedc_structured_blocks.blocks ?? [];
      return blocks.flatMap((block) => (block.type === 'checker' ? block.items : []));
    },
  });

/** Ticks a criterion: shown at once, and taken back with the reason when it is refused. */
export function useTick(task: string) {
  const client = useQueryClient();
  const toasts = useToasts();
  const { queryKey } = criteriaQuery(task);
  return useMutation({
    mutationKey: SHOWN_FIRST,
    mutationFn: ({ id, checked }: Pick<Criterion, 'id' | 'checked'>) => writeTick(task, id, checked),
    onMutate: async ({ id, checked }) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      client.setQueryData(queryKey, (all) => all?.map((each) => (each.id === id ? { ...each, checked } : each)));
      return { before };
    },
    onError: (error, _, context) => {
      client.setQueryData(queryKey, context?.before);
      toasts.show({ kind: 'refused', text: reasonOf(error) });
    },
    onSettled: () => readAfterShown(client, () => client.invalidateQueries({ queryKey })),
  });
}
