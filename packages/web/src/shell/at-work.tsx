import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { onChange } from '../api/live-store.ts';
import { atWorkQuery, withNewStep } from '../api/runs.ts';
import { WorkingAgent } from './working-agent.tsx';

const SHOWN = 6;

/** Who works now, in all projects: at the foot of the rail. */
export function AtWork() {
  const client = useQueryClient();
  const { data } = useQuery(atWorkQuery);
  useEffect(
    () => onChange((change) => client.setQueryData(atWorkQuery.queryKey, (now) => now && withNewStep(now, change))),
    [client],
  );
  const runs = data?.runs ?? [];
  if (runs.length === 0) return null;
  return (
    <section className="at-work" aria-label="Agents at work">
      <h2>
        At work <span>{runs.length > SHOWN ? `${SHOWN} of ${runs.length}` : runs.length}</span>
      </h2>
      {runs.slice(0, SHOWN).map((run) => (
        <WorkingAgent key={run.execution_id} run={run} />
      ))}
    </section>
  );
}
