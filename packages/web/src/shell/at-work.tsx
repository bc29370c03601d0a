import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { agentsQuery } from '../api/agents.ts';
import { onChange } from '../api/live-store.ts';
import { meQuery } from '../api/me.ts';
import { atWorkQuery, withNewStep, worked } from '../api/runs.ts';
import { WorkingAgent } from './working-agent.tsx';

const MAX_SHOWN = 6;

/**
 * Which agents at work stand at the foot of the side rail, of all projects: at most six, none that is stalled (long
 * silent): the inbox has it.
 */
export function AtWork() {
  const client = useQueryClient();
  const { data } = useQuery(atWorkQuery);
  useEffect(
    () => onChange((change) => client.setQueryData(atWorkQuery.queryKey, (now) => now && withNewStep(now, change))),
    [client],
  );
  const { data: me } = useQuery(meQuery);
  const { data: agents } = useQuery({ ...agentsQuery, enabled: me?.user.role === 'admin' });
  // A run without a sign of life for ten minutes is none at work: the inbox has it.
  const runs = worked(data?.runs ?? []).filter(({ liveness }) => liveness !== 'stalled');
  if (runs.length === 0) return null;
  return (
    <section className="at-work" aria-label="Agents at work">
      <h2>
        At work{' '}
        <span>{agents === undefined ? runs.length : `${runs.length} of ${Math.max(runs.length, agents.length)}`}</span>
      </h2>
      {runs.slice(0, MAX_SHOWN).map((run) => (
        <WorkingAgent key={run.execution_id} run={run} />
      ))}
    </section>
  );
}
