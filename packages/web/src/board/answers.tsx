import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RespondApprovalBody, respondApproval } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { cardAnswers } from '../api/answers.ts';
import type { Card } from '../api/board.ts';
import { reasonOf } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { useToasts } from '../ui/toast.tsx';

type Question = NonNullable<Card['question']>;

interface AnswersProps {
  readonly question: Pick<Question, 'approval_id' | 'kind' | 'options'>;
}

/** The buttons of a question, where the question is. A question that takes any text is answered on its task. */
export function Answers({ question }: AnswersProps) {
  const client = useQueryClient();
  const toasts = useToasts();
  const answer = useMutation({
    mutationFn: (body: RespondApprovalBody) => answerOf(respondApproval(question.approval_id, body)),
    onError: (error) => toasts.show({ kind: 'refused', text: reasonOf(error) }),
    onSettled: () => client.invalidateQueries({ queryKey: ['board'] }),
  });
  const busy = answer.isPending ? 'Sending…' : false;
  return cardAnswers(question).map(({ key, name, body }, at) => (
    <Button
      key={key}
      kind={key === 'a' ? 'primary' : 'normal'}
      size="small"
      keys={key === 'a' || key === 'd' ? key : undefined}
      busy={at === 0 && busy}
      onClick={(event) => {
        // The card below would open.
        event.stopPropagation();
        answer.mutate(body);
      }}
    >
      {name}
    </Button>
  ));
}
