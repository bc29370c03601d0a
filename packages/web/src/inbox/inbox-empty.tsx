import { useQuery } from '@tanstack/react-query';
import { atWorkQuery } from '../api/runs.ts';
import { WorkingAgent } from '../shell/working-agent.tsx';
import { plural } from '../text/words.ts';
import { Empty } from '../ui/empty.tsx';

const MAX_SHOWN = 6;

/** Nothing waits: says so, how many agents are at work, and shows at most six of them. */
export function InboxEmpty() {
  const { data } = useQuery(atWorkQuery);
  const runs = data?.runs ?? [];
  return (
    <div className="ib-none">
      <Empty icon="inbox" title="Nothing needs you.">
        {runs.length === 0
          ? 'Questions, approvals and reviews appear here.'
          : `Questions, approvals and reviews appear here. ${plural(runs.length, 'agent')} ${runs.length === 1 ? 'is' : 'are'} at work:`}
      </Empty>
      {runs.length === 0 ? null : (
        <section className="at-work" aria-label="Running now">
          {runs.slice(0, MAX_SHOWN).map((run) => (
            <WorkingAgent key={run.execution_id} run={run} />
          ))}
        </section>
      )}
    </div>
  );
}
