import { Link } from '@tanstack/react-router';
import { type Run, waitOf, workerOf } from '../api/runs.ts';
import { KeyLabel } from '../ui/key-label.tsx';
import { LeaseRing } from '../ui/lease-ring.tsx';

const SAYS = {
  claimed: 'works on it',
  waiting: 'waits for you',
  quiet: 'is quiet',
  stalled: 'has stalled',
} as const;

/**
 * An agent at work: who, on what, and what it does now. It leads to the inbox while it waits for a person, else to its
 * attempt or task.
 */
export function WorkingAgent({ run }: { readonly run: Run }) {
  const { id, name } = workerOf(run);
  const state = run.questions > 0 ? 'waiting' : run.liveness === 'live' ? 'claimed' : run.liveness;
  const page: string =
    run.questions > 0
      ? '/inbox'
      : run.attempt_id === null
        ? `/t/${run.task_key}`
        : `/a/${run.attempt_key ?? run.attempt_id}`;
  const step = waitOf(run) ?? run.step ?? run.name ?? 'Begins';
  return (
    <Link to={run.task_key === null && run.attempt_id === null ? '/runs' : page}>
      <LeaseRing
        id={id}
        name={name}
        state={state}
        from={run.claim?.claimed_at}
        until={run.claim?.expires_at}
        label={`${name} ${SAYS[state]}`}
      />
      <span className="aw">
        <b>{name}</b>
        {run.task_key === null ? null : <KeyLabel value={run.task_key} />}
        <i className={{ claimed: 'run', waiting: 'wait', quiet: 'quiet', stalled: 'quiet' }[state]}>{step}</i>
      </span>
    </Link>
  );
}
