import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { stopAttempt } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import type { Card } from '../api/board.ts';
import { reasonOf } from '../api/client.ts';
import { barOf, leaseOf, workerOf } from '../board/card-looks.ts';
import { clock, span } from '../text/time.ts';
import { plural } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { LeaseRing } from '../ui/lease-ring.tsx';
import { Elapsed } from '../ui/relative-time.tsx';
import { StepBar } from '../ui/step-bar.tsx';
import { progressOf } from '../ui/step-segments.ts';
import { useToasts } from '../ui/toast.tsx';
import { pageClock } from '../ui/use-clock.ts';
import { attemptNumber, attemptPath } from './attempt-looks.ts';
import './now-box.css';

interface NowBoxProps {
  readonly card: Card;
  readonly canRun: boolean;
  /** Whether R writes to the agent: a question has that key for itself. */
  readonly hasKey: boolean;
  /** Lets the person write to the agent. */
  readonly onFollowUp: () => void;
}

/**
 * What the run is at, in one line: its step and how long it is quiet, or that it waits for a worker, your approval,
 * your answer.
 */
function nowText({ run, question }: Card): string {
  if (run === null) return '';
  if (run.status === 'queued') return 'Waits for a worker';
  if (question !== null) return question.kind === 'permission' ? 'Waits for your approval' : 'Waits for your answer';
  const silent = run.liveness === 'live' ? '' : ` · quiet ${span(pageClock.now() - Date.parse(run.seen_at))}`;
  return `${run.steps.current ?? 'Waiting for the first step'}${silent}`;
}

/** What an agent does on the task now, and the ways to talk to it or stop it. */
export function NowBox({ card, canRun, hasKey, onFollowUp }: NowBoxProps) {
  const toasts = useToasts();
  const { run, attempt, claim } = card;
  const stop = useMutation({
    mutationFn: (attempt_id: string) => answerOf(stopAttempt(attempt_id, {})),
    onSuccess: ({ stopping }) => toasts.show({ text: stopping ? 'Stopping the run' : 'Nothing was running' }),
    onError: (error) => toasts.show({ kind: 'refused', text: reasonOf(error) }),
  });
  if (run === null || (run.status !== 'running' && run.status !== 'queued')) return null;
  const worker = workerOf(card) ?? { id: run.execution_id, name: 'agent' };
  const bar = barOf(card);
  const progress = bar === null ? null : progressOf(bar);
  const program = run.client ?? attempt?.executor ?? null;
  return (
    <section className="nowbox on-tint" aria-label="Running now">
      <div className="nowbox-top">
        <LeaseRing
          id={worker.id}
          name={worker.name}
          size={28}
          state={leaseOf(card, pageClock.now()) ?? 'claimed'}
          from={claim?.claimed_at ?? run.started_at}
          until={claim?.expires_at}
          label={claim === null ? worker.name : `claimed by ${claim.name} until ${clock(claim.expires_at)}`}
        />
        <div className="nowbox-what">
          <p>
            <b>{worker.name}</b>
            {program === null || program === worker.name ? null : <span className="quiet">{program}</span>}
          </p>
          <p className="nowbox-step">{nowText(card)}</p>
        </div>
        <span className="grow" />
        <div className="nowbox-num">
          <b>
            <Elapsed from={run.started_at} />
          </b>
          {progress === null ? null : (
            <span>
              {progress.ended} of {plural(progress.all, 'step')}
            </span>
          )}
        </div>
      </div>
      {bar === null ? null : <StepBar steps={bar} big />}
      <div className="nowbox-acts">
        {attempt === null ? null : (
          <>
            <Link className="btn small" to={attemptPath(attempt)}>
              Open attempt {attemptNumber(attempt.key)}
            </Link>
            <Button size="small" icon="follow" keys={hasKey ? 'r' : undefined} onClick={onFollowUp}>
              Follow up
            </Button>
            {canRun ? (
              <Button
                kind="danger"
                size="small"
                icon="stop"
                busy={stop.isPending ? 'Stopping…' : false}
                onClick={() => stop.mutate(attempt.attempt_id)}
              >
                Stop
              </Button>
            ) : null}
          </>
        )}
        <span className="grow" />
        {claim === null ? null : <span className="hint">Claimed until {clock(claim.expires_at)}</span>}
      </div>
    </section>
  );
}
