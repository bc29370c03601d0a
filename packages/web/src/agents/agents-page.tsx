import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { agentsQuery, type ListedAgent, peopleQuery } from '../api/agents.ts';
import { atWorkQuery, worked } from '../api/runs.ts';
import { PageFailure } from '../shell/page-failure.tsx';
import { count } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { FilterField } from '../ui/filter-field.tsx';
import { Icon } from '../ui/icon.tsx';
import { Skeleton, SkeletonRows } from '../ui/skeleton.tsx';
import { Table } from '../ui/table.tsx';
import { useRowKeys } from '../ui/use-row-keys.ts';
import { VirtualRows } from '../ui/virtual-rows.tsx';
import { AgentRow } from './agent-row.tsx';
import { NewAgent } from './new-agent.tsx';
import '../shell/page.css';
import './agents.css';

const idOf = ({ agent_id }: ListedAgent): string => agent_id;

/**
 * All agents: who they work for, what they do now, and when their tokens end. Found by the name of the agent or its
 * owner.
 */
export function AgentsPage() {
  const { q = '', make = false } = useSearch({ from: '/frame/agents' });
  const navigate = useNavigate({ from: '/agents' });
  const { data: all, error, refetch, isFetching } = useQuery(agentsQuery);
  const { data: people } = useQuery(peopleQuery);
  const { data: work } = useQuery(atWorkQuery);
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    document.title = 'Agents · Errand';
  }, []);

  const words = ({ name, owner_id }: ListedAgent): string => `${name} ${people?.get(owner_id) ?? ''}`.toLowerCase();
  const agents = (all ?? []).filter((agent) => words(agent).includes(q.toLowerCase()));
  const open = ({ agent_id }: ListedAgent) => void navigate({ to: '/agents/$id', params: { id: agent_id } });
  const setMake = (isMade: boolean) => void navigate({ search: (now) => ({ ...now, make: isMade || undefined }) });
  useRowKeys({ items: agents, idOf, element, onOpen: open });
  const atWork = worked(work?.runs ?? []);
  const make_button = (
    <Button kind="primary" icon="plus" onClick={() => setMake(true)}>
      New agent
    </Button>
  );
  return (
    <main className="view" id="content" ref={element}>
      <div className="page" ref={setScroller}>
        <header className="page-head">
          <h1>Agents</h1>
          {all === undefined ? null : <span className="faint num">{count(all.length)}</span>}
          <span className="grow" />
          <FilterField
            value={q}
            onChange={(text) =>
              void navigate({ search: (now) => ({ ...now, q: text === '' ? undefined : text }), replace: true })
            }
          />
          {error === null ? make_button : null}
        </header>
        {all === undefined ? (
          error === null ? (
            <Skeleton label="Agents">
              <SkeletonRows rows={6} />
            </Skeleton>
          ) : (
            <PageFailure what="The agents could not be loaded" error={error} retrying={isFetching} onRetry={refetch} />
          )
        ) : agents.length === 0 ? (
          <Empty
            icon="agents"
            title={all.length === 0 ? 'No agent works here yet.' : 'No agent is called that.'}
            actions={all.length === 0 ? make_button : null}
          >
            {all.length === 0
              ? 'Make one: it gets a token of its own, and the rights that you give it.'
              : 'Look for another name or owner.'}
          </Empty>
        ) : (
          <>
            <Table
              label="Agents"
              className="agents tall"
              columns={[
                { id: 'name', label: 'Name, owner', width: 146 },
                { id: 'client', label: 'Client', width: 120 },
                { id: 'doing', label: 'Doing now' },
                { id: 'seen', label: 'Last seen', width: 93 },
                { id: 'projects', label: 'Projects', width: 267 },
                { id: 'rights', label: 'Rights', width: 84 },
                { id: 'ends', label: 'Token ends', width: 143 },
              ]}
            >
              <VirtualRows
                items={agents}
                idOf={idOf}
                scroller={scroller}
                height={52}
                columns={7}
                draw={(agent) => (
                  <AgentRow
                    key={agent.agent_id}
                    agent={agent}
                    owner={people?.get(agent.owner_id)}
                    run={atWork.find((run) => run.agent?.id === agent.agent_id)}
                    onOpen={open}
                  />
                )}
              />
            </Table>
            <p className="foot-note">
              <Icon name="info" />
              An agent acts for its owner and never gets more rights than they have. Delete is never granted.
            </p>
          </>
        )}
      </div>
      {make ? <NewAgent onClose={() => setMake(false)} /> : null}
    </main>
  );
}
