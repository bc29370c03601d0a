import type { Attempt, Run } from '../api/attempts.ts';
import type { Card } from '../api/board.ts';
import { openQuestions } from '../task/open-questions.ts';
import { Question } from '../task/questions.tsx';
import { clock } from '../text/time.ts';
import { Banner } from '../ui/banner.tsx';
import { useClock } from '../ui/use-clock.ts';

/** After a minute without a sign of life a run counts as quiet, after ten as stalled. */
const isSilent = ({ status, liveness }: Run): boolean => status === 'running' && liveness === 'stalled';

interface NoticesProps {
  readonly attempt: Attempt;
  readonly run: Run | undefined;
  readonly card: Card | null;
  readonly canAnswer: boolean;
}

/**
 * The banners above an attempt: open questions, lost or stalled, failed with its reason, messages that wait, queued
 * follow-ups.
 */
export function Notices({ attempt, run, card, canAnswer }: NoticesProps) {
  const claim = card?.claim ?? null;
  const returns = useClock((now) =>
    claim !== null && Date.parse(claim.expires_at) > now ? ` The claim returns at ${clock(claim.expires_at)}.` : '',
  );
  const isLost = run?.status === 'interrupted' || (run !== undefined && isSilent(run));
  return (
    <div className="att-notices">
      {attempt.approvals.length === 0 ? null : (
        <div className="att-asked">
          {openQuestions(null, attempt).map((question, at) => (
            <Question
              key={question.approval_id}
              question={question}
              taskKey={attempt.task.key ?? ''}
              hasKeys={at === 0}
              canAnswer={canAnswer}
            />
          ))}
        </div>
      )}
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
    </div>
  );
}
