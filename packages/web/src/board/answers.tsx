import { useMutation, useQueryClient } from '@tanstack/react-query';
import { respondApproval } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import type { Card } from '../api/board.ts';
import { reasonOf } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { useToasts } from '../ui/toast.tsx';

type Question = NonNullable<Card['question']>;

/** The first option that lets the agent go on, and the first that does not. The others are on the task itself. */
export function mainOptions({ options }: Pick<Question, 'options'>) {
  const yes = options.find(({ kind }) => kind.startsWith('allow'));
  const no = options.find(({ kind }) => kind.startsWith('reject'));
  return { yes, no };
}

interface AnswersProps {
  readonly question: Pick<Question, 'approval_id' | 'options'>;
}

/** The buttons of a question, where the question is. A question that takes any text is answered on its task. */
export function Answers({ question }: AnswersProps) {
  const client = useQueryClient();
  const toasts = useToasts();
  const answer = useMutation({
    mutationFn: (option: string) => answerOf(respondApproval(question.approval_id, { option })),
    onError: (error) => toasts.show({ kind: 'refused', text: reasonOf(error) }),
    onSettled: () => client.invalidateQueries({ queryKey: ['board'] }),
  });
  const { yes, no } = mainOptions(question);
  const press = (option: string) => (event: { stopPropagation: () => void }) => {
    // The card below would open.
    event.stopPropagation();
    answer.mutate(option);
  };
  const busy = answer.isPending ? 'Sending…' : false;
  return (
    <>
      {yes === undefined ? null : (
        <Button kind="primary" size="small" keys="a" busy={busy} onClick={press(yes.option)}>
          {yes.name}
        </Button>
      )}
      {no === undefined ? null : (
        <Button size="small" keys="d" onClick={press(no.option)}>
          {no.name}
        </Button>
      )}
    </>
  );
}
