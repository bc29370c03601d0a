import { type FormEvent, useState } from 'react';
import { useCancel, useReply } from '../api/attempt-acts.ts';
import type { Attempt, Run } from '../api/attempts.ts';
import type { Card } from '../api/board.ts';
import { Answers } from '../board/answers.tsx';
import { clock } from '../text/time.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { Input } from '../ui/input.tsx';
import { useClock } from '../ui/use-clock.ts';

type Question = Attempt['approvals'][number];

/** A question that takes any text is answered in a line. */
function Reply({ question }: { readonly question: Question }) {
  const reply = useReply();
  const [answer, setAnswer] = useState('');
  function send(event: FormEvent): void {
    event.preventDefault();
    if (answer.trim() !== '') reply.mutate({ approval_id: question.approval_id, answer: answer.trim() });
  }
  return (
    <form className="att-reply" onSubmit={send}>
      <Input
        aria-label="Your answer"
        placeholder="Your answer"
        value={answer}
        maxLength={10_000}
        onChange={(event) => setAnswer(event.target.value)}
      />
      <Button size="small" type="submit" busy={reply.isPending ? 'Sending…' : false}>
        Reply
      </Button>
    </form>
  );
}

function Asked({ question }: { readonly question: Question }) {
  return (
    <div data-testid={`approval-${question.approval_id}`}>
      <Banner
        kind="you"
        icon="hand"
        actions={
          <>
            <Answers question={question} />
            {question.kind === 'question' ? <Reply question={question} /> : null}
          </>
        }
      >
        <b>Needs you</b> {question.question} {question.details === null ? null : <code>{question.details}</code>}
      </Banner>
    </div>
  );
}

/** After a minute without a sign of life a run counts as quiet, after ten as stalled. */
const isSilent = ({ status, liveness }: Run): boolean => status === 'running' && liveness === 'stalled';

interface NoticesProps {
  readonly attempt: Attempt;
  readonly run: Run | undefined;
  readonly card: Card | null;
}

/** What a person should know or do before reading on. */
export function Notices({ attempt, run, card }: NoticesProps) {
  const cancel = useCancel(attempt.attempt_id);
  const claim = card?.claim ?? null;
  const returns = useClock((now) =>
    claim !== null && Date.parse(claim.expires_at) > now ? ` The claim returns at ${clock(claim.expires_at)}.` : '',
  );
  const isLost = run?.status === 'interrupted' || (run !== undefined && isSilent(run));
  return (
    <div className="att-notices">
      {attempt.approvals.map((question) => (
        <Asked key={question.approval_id} question={question} />
      ))}
      {isLost && run !== undefined ? (
        <Banner kind="fail" icon="run-lost">
          <b>{run.status === 'interrupted' ? 'Lost' : 'Stalled'}</b> No sign of life since {clock(run.seen_at)}.
          {returns}
        </Banner>
      ) : null}
      {attempt.state === 'failed' && attempt.run !== null && !isLost ? (
        <Banner kind="fail" icon="alert">
          <b>Failed</b> {attempt.run.reason ?? 'The agent gave no reason.'}
        </Banner>
      ) : null}
      {attempt.queue.map(({ queued_id, prompt }) => (
        <Banner
          key={queued_id}
          icon="queue"
          actions={
            <Button size="small" onClick={() => cancel.mutate(queued_id)}>
              Cancel
            </Button>
          }
        >
          <b>Queued</b> {prompt}
        </Banner>
      ))}
    </div>
  );
}
