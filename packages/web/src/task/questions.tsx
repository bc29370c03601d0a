import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RespondApprovalBody, respondApproval } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { useState } from 'react';
import { answersTo } from '../api/answers.ts';
import { reasonOf } from '../api/client.ts';
import { type Bindings, useKeys } from '../keys/bindings.ts';
import { ApprovalFrame } from '../ui/approval-frame.tsx';
import { Button } from '../ui/button.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { useToasts } from '../ui/toast.tsx';
import type { AskedQuestion } from './open-questions.ts';
import { WordsEditor } from './words-editor.tsx';

const MAX_ANSWER = 10_000;

interface QuestionProps {
  readonly question: AskedQuestion;
  readonly taskKey: string;
  /** The oldest question has the keys. */
  readonly hasKeys: boolean;
  readonly canAnswer: boolean;
}

/** A question of an agent on the page of its task or attempt: its options as buttons with keys, or a reply in words. */
export function Question({ question, taskKey, hasKeys, canAnswer }: QuestionProps) {
  const client = useQueryClient();
  const toasts = useToasts();
  const [isReplying, setReplying] = useState(false);
  const answer = useMutation({
    mutationFn: (body: RespondApprovalBody) => answerOf(respondApproval(question.approval_id, body)),
    onError: (error) => toasts.show({ kind: 'refused', text: reasonOf(error) }),
    onSettled: () =>
      client.invalidateQueries({
        predicate: ({ queryKey: [noun] }) => noun === 'attempt' || noun === 'board' || noun === 'task',
      }),
  });
  const answers = canAnswer ? answersTo(question) : [];
  const takesWords = canAnswer && question.kind === 'question';
  const reply = () => setReplying(true);
  const bindings: Bindings = Object.fromEntries([
    ...answers.map(({ key, name, body }) => [key, { does: name, run: () => answer.mutate(body) }] as const),
    ...(takesWords ? [['r', { does: 'Reply', run: reply }] as const] : []),
  ]);
  useKeys(hasKeys && !isReplying ? bindings : {});
  const busy = answer.isPending ? 'Sending…' : false;
  return (
    <ApprovalFrame
      kind={question.kind === 'permission' ? 'Approval' : 'Question'}
      taskKey={taskKey}
      question={question.text}
      command={question.details ?? undefined}
      testId={`approval-${question.approval_id}`}
      aside={
        <span className="faint">
          waits <RelativeTime at={question.since} as="card" />
        </span>
      }
      actions={
        isReplying ? (
          <WordsEditor
            label="Reply"
            text=""
            max={MAX_ANSWER}
            rows={3}
            save="Reply"
            onSave={(words) => (words === '' ? undefined : answer.mutate({ answer: words }))}
            onClose={() => setReplying(false)}
          />
        ) : (
          <>
            {answers.map(({ key, name, body }) => (
              <Button
                key={key}
                kind={key === 'a' ? 'primary' : 'normal'}
                keys={hasKeys ? key : undefined}
                busy={key === 'a' && busy}
                onClick={() => answer.mutate(body)}
              >
                {name}
              </Button>
            ))}
            {takesWords ? (
              <Button icon="reply" keys={hasKeys ? 'r' : undefined} onClick={reply}>
                Reply
              </Button>
            ) : null}
          </>
        )
      }
    />
  );
}
