import { useQuery } from '@tanstack/react-query';
import { useSendReview } from '../../api/attempt-acts.ts';
import type { Attempt, ReviewComment } from '../../api/attempts.ts';
import { criteriaQuery, useTick } from '../../api/criteria.ts';
import { useKeys } from '../../keys/bindings.ts';
import { plural } from '../../text/words.ts';
import { Button } from '../../ui/button.tsx';
import { Checklist, ChecklistRow } from '../../ui/checklist-row.tsx';
import { useToasts } from '../../ui/toast.tsx';
import './review-side.css';

interface ReviewSideProps {
  readonly attempt: Attempt;
  readonly agent: string;
  readonly comments: readonly ReviewComment[];
  readonly onGo: (path: string) => void;
}

/**
 * Beside the changes: the acceptance criteria, draft and open comments, and “Send review”, which sends all drafts as
 * one follow-up.
 */
export function ReviewSide({ attempt, agent, comments, onGo }: ReviewSideProps) {
  const toasts = useToasts();
  const send = useSendReview(attempt.attempt_id);
  const tick = useTick(attempt.task.task_id);
  const { data: criteria = [] } = useQuery(criteriaQuery(attempt.task.task_id));
  const drafts = comments.filter(({ status }) => status === 'draft');
  const open = comments.filter(({ status }) => status === 'sent');
  const isRunning = attempt.run?.status === 'running';

  function review(): void {
    if (drafts.length === 0 || send.isPending) return;
    send.mutate(undefined, {
      onSuccess: ({ comments: sent, note }) =>
        toasts.show({ text: note ?? `Sent ${plural(sent, 'comment')} to ${agent}` }),
    });
  }
  useKeys({ 'mod+enter': { does: 'Send review', run: review } });

  const list = (title: string, said: readonly ReviewComment[]) =>
    said.length === 0 ? null : (
      <>
        <h2>
          {title} <span className="num">{said.length}</span>
        </h2>
        <ol className="cm">
          {said.map(({ comment_id, path, line, text }) => (
            <li key={comment_id}>
              <button type="button" onClick={() => onGo(path)}>
                <span className="key">
                  {path.slice(path.lastIndexOf('/') + 1)}
                  {line === null ? '' : `:${line}`}
                </span>
                <p>{text}</p>
              </button>
            </li>
          ))}
        </ol>
      </>
    );

  return (
    <aside className="revside" aria-label="Review">
      {criteria.length === 0 ? null : (
        <>
          <h2>
            Acceptance criteria{' '}
            <span className="num">
              {criteria.filter(({ checked }) => checked).length} of {criteria.length}
            </span>
          </h2>
          <Checklist>
            {criteria.map(({ id, text, checked }) => (
              <ChecklistRow
                key={id}
                text={text}
                checked={checked}
                onChange={(next) => tick.mutate({ id, checked: next })}
              />
            ))}
          </Checklist>
        </>
      )}
      {list('Your comments', drafts)}
      {list('Open comments', open)}
      <div className="revside-foot">
        <Button
          kind={attempt.state === 'review' ? 'normal' : 'primary'}
          icon="send"
          keys="mod+enter"
          {...(drafts.length === 0 && { 'aria-disabled': true, title: 'There is no comment to send' })}
          busy={send.isPending ? 'Sending…' : false}
          onClick={review}
        >
          Send review
        </Button>
        <p className="hint">
          {drafts.length === 0
            ? 'Click the number of a line to comment on it.'
            : `${plural(drafts.length, 'comment')} ${drafts.length === 1 ? 'goes' : 'go'} to ${agent} as one follow-up.`}
        </p>
        {isRunning ? <p className="hint">You can accept once the run has ended.</p> : null}
      </div>
    </aside>
  );
}
