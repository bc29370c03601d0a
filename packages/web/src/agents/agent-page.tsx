import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { agentQuery, lastRunQuery, peopleQuery } from '../api/agents.ts';
import { atWorkQuery, barOf, waitOf, worked } from '../api/runs.ts';
import { Crumbs } from '../shell/crumbs.tsx';
import { PageFailure } from '../shell/page-failure.tsx';
import { plural } from '../text/words.ts';
import { AgentTile } from '../ui/agent-tile.tsx';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { KeyLabel } from '../ui/key-label.tsx';
import { LeaseRing } from '../ui/lease-ring.tsx';
import { Elapsed } from '../ui/relative-time.tsx';
import { Skeleton, SkeletonRows } from '../ui/skeleton.tsx';
import { StepBar } from '../ui/step-bar.tsx';
import { progressOf } from '../ui/step-segments.ts';
import { AgentCalls } from './agent-calls.tsx';
import { AgentSide } from './agent-side.tsx';
import { EditRights } from './edit-rights.tsx';
import { RevokeAgent } from './revoke-agent.tsx';
import { ringOf } from './ring.ts';
import { RotateToken } from './rotate-token.tsx';
import '../shell/page.css';
import '../task/now-box.css';
import './agent-page.css';

/** The page of one agent: what it does now, why no token of it works, Rotate and Revoke. */
export function AgentPage() {
  const { id } = useParams({ from: '/frame/agents/$id' });
  const { data: agent, error, refetch, isFetching } = useQuery(agentQuery(id));
  const { data: people } = useQuery(peopleQuery);
  const { data: work } = useQuery(atWorkQuery);
  const run = worked(work?.runs ?? []).find((each) => each.agent?.id === agent?.agent_id);
  const { data: last } = useQuery({ ...lastRunQuery(id), enabled: work !== undefined && run === undefined });
  const [opened, setOpened] = useState<'rights' | 'rotate' | 'revoke' | null>(null);
  useEffect(() => {
    if (agent !== undefined) document.title = `${agent.name} · Agents · Errand`;
  }, [agent]);
  if (agent === undefined) {
    return (
      <main className="view" id="content">
        <div className="page">
          {error === null ? (
            <Skeleton label="Agent">
              <SkeletonRows rows={8} />
            </Skeleton>
          ) : (
            <PageFailure what="The agent could not be loaded" error={error} retrying={isFetching} onRetry={refetch} />
          )}
        </div>
      </main>
    );
  }
  const { name, agent_id, status } = agent;
  const owner = people?.get(agent.owner_id) ?? 'its owner';
  const client = (run ?? last?.[0])?.client ?? null;
  const where: string = run?.attempt_id ? `/a/${run.attempt_key ?? run.attempt_id}` : `/t/${run?.task_key}`;
  const bar = run === undefined ? null : barOf(run);
  const progress = bar === null ? null : progressOf(bar);
  return (
    <main className="view" id="content">
      <Crumbs to="/agents" place="Agents" here={name} />
      <div className="page agentpage">
        <header className="page-head big">
          {run === undefined ? (
            <span className="leased s40">
              <AgentTile id={agent_id} name={name} size={40} silent />
            </span>
          ) : (
            <LeaseRing
              id={agent_id}
              name={name}
              size={40}
              from={run.claim?.claimed_at}
              until={run.claim?.expires_at}
              {...ringOf(run, name)}
            />
          )}
          <div>
            <h1>{name}</h1>
            <p className="quiet">
              {client === null ? '' : `${client}, `}for {owner}
            </p>
          </div>
          <span className="grow" />
          <Button icon="settings" onClick={() => setOpened('rights')}>
            Edit rights
          </Button>
          <Button icon="retry" onClick={() => setOpened('rotate')}>
            Rotate token
          </Button>
          <Button kind="danger" icon="block" onClick={() => setOpened('revoke')}>
            Revoke
          </Button>
        </header>
        {status === 'active' ? null : (
          <Banner kind="fail" icon="alert">
            {status === 'owner_blocked' ? (
              <>
                <b>{owner} is blocked.</b> The tokens of {name} are off until the owner is unblocked.
              </>
            ) : (
              <>
                <b>No token of {name} works.</b> Rotate to give it a new one.
              </>
            )}
          </Banner>
        )}
        <div className="agent-cols">
          <div className="agent-main">
            {run === undefined ? null : (
              <section className="nowbox">
                <div className="nowbox-top">
                  <div>
                    <p>
                      {run.task_key === null ? null : <KeyLabel value={run.task_key} />}
                      <b>{run.task_key === null ? run.name : <Link to={where}>{run.title}</Link>}</b>
                    </p>
                    <p className="nowbox-step">{waitOf(run) ?? run.step}</p>
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
                {bar === null ? null : <StepBar big steps={bar} />}
              </section>
            )}
            <AgentCalls id={agent_id} name={name} />
          </div>
          <AgentSide agent={agent} />
        </div>
      </div>
      {opened === 'rights' ? <EditRights agent={agent} onClose={() => setOpened(null)} /> : null}
      {opened === 'rotate' ? <RotateToken agent={agent} onClose={() => setOpened(null)} /> : null}
      {opened === 'revoke' ? <RevokeAgent agent={agent} onClose={() => setOpened(null)} /> : null}
    </main>
  );
}
