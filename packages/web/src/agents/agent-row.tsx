import { useQuery } from '@tanstack/react-query';
import { type Agent, agentCallsQuery, agentQuery, type ListedAgent, lastRunQuery } from '../api/agents.ts';
import { barOf, latestOf, type Run, waitOf } from '../api/runs.ts';
import { hueOf } from '../text/hue.ts';
import { clock, endsIn } from '../text/time.ts';
import { AgentTile } from '../ui/agent-tile.tsx';
import { Icon } from '../ui/icon.tsx';
import { KeyLabel } from '../ui/key-label.tsx';
import { LeaseRing } from '../ui/lease-ring.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { StepBar } from '../ui/step-bar.tsx';
import { TableRow } from '../ui/table.tsx';
import { useClock } from '../ui/use-clock.ts';
import { presetOf } from './presets.ts';
import { ringOf } from './ring.ts';

const READ_AGAIN_MS = 15_000;

interface AgentRowProps {
  readonly agent: ListedAgent;
  readonly owner: string | undefined;
  /** The run that it works on; undefined while it is idle. */
  readonly run: Run | undefined;
  readonly onOpen: (agent: ListedAgent) => void;
}

/** When the token ends; amber when the agent can do nothing: its owner is blocked, or no token of it works. */
function TokenEnd({ agent }: { readonly agent: ListedAgent }) {
  const ends = useClock((now) => (agent.expires_at === null ? 'never' : endsIn(agent.expires_at, now)));
  if (agent.status === 'active') return <td className="num quiet">{ends}</td>;
  return (
    <td className="soon">
      <Icon name="alert" />
      {agent.status === 'owner_blocked' ? 'owner blocked' : 'no live token'}
    </td>
  );
}

/** The program it runs in, and the version of that below. */
function Client({ name }: { readonly name: string | null }) {
  if (name === null) return <span className="faint">unknown</span>;
  const [, program = name, version] = /^(.*?) (\d\S*)$/.exec(name) ?? [];
  return (
    <span className="two client">
      <span className="ell">{program}</span>
      {version === undefined ? null : <span className="num">{version}</span>}
    </span>
  );
}

/** What it works on. */
function Doing({ run }: { readonly run: Run }) {
  const { questions, liveness } = run;
  const bar = barOf(run);
  const says = waitOf(run) ?? (liveness === 'stalled' ? 'Stalled: no sign of life' : run.step);
  return (
    <span className="doing">
      <span className={questions > 0 || liveness === 'stalled' ? 'doing-t you' : 'doing-t'}>
        {run.task_key === null ? null : <KeyLabel value={run.task_key} />}
        {says ?? run.title}
      </span>
      {bar === null ? null : <StepBar steps={bar} />}
    </span>
  );
}

/** The task that it has claimed, and reports no run of. */
function Claimed({ claim }: { readonly claim: NonNullable<Agent['claim']> }) {
  return (
    <span className="doing">
      <span className="doing-t">
        {claim.task_key === null ? null : <KeyLabel value={claim.task_key} />}
        {claim.title}
      </span>
    </span>
  );
}

/**
 * An agent as one row: its program, what it works on or since when it is idle, projects, rights (Custom where they
 * differ), end of its token. What a list does not say of it is read when the row comes into view.
 */
export function AgentRow({ agent, owner, run, onOpen }: AgentRowProps) {
  const { agent_id, name } = agent;
  const { data } = useQuery({ ...agentQuery(agent_id), refetchInterval: READ_AGAIN_MS });
  const { data: called } = useQuery(agentCallsQuery(agent_id, READ_AGAIN_MS));
  const { data: last } = useQuery({ ...lastRunQuery(agent_id), enabled: run === undefined });
  const seen = latestOf(called?.last_call_at, (run ?? last?.[0])?.seen_at);
  const grants = data?.grants ?? [];
  const held = data?.claim ?? null;
  // It reports the run of the task that it holds; a claim beside a run of another task is its newer work.
  const isNewer = run === undefined || Date.parse(held?.claimed_at ?? '') > Date.parse(run.started_at);
  const claim = held !== null && held.task_id !== run?.task_id && isNewer ? held : null;
  const rights = new Set(grants.map(({ scopes }) => presetOf(scopes)));
  return (
    <TableRow data-row={agent_id} data-testid={`agent-${name}`} onClick={() => onOpen(agent)}>
      <td>
        <span className="cell">
          {run === undefined ? (
            <span className="leased s24">
              <AgentTile id={agent_id} name={name} size={24} silent />
            </span>
          ) : (
            <LeaseRing
              id={agent_id}
              name={name}
              size={24}
              from={run.claim?.claimed_at}
              until={run.claim?.expires_at}
              {...ringOf(run, name)}
            />
          )}
          <span className="two">
            <b>{name}</b>
            <span>{owner}</span>
          </span>
        </span>
      </td>
      <td>
        <Client name={(run ?? last?.[0])?.client ?? null} />
      </td>
      <td>
        {claim !== null ? (
          <Claimed claim={claim} />
        ) : run === undefined ? (
          <span className="faint">{seen === undefined ? 'Idle' : `Idle since ${clock(seen)}`}</span>
        ) : (
          <Doing run={run} />
        )}
      </td>
      <td className="num quiet">{seen === undefined ? '' : <RelativeTime at={seen} as="row" since="last call" />}</td>
      <td>
        {grants.map(({ project_id, project_name }) => (
          <span key={project_id} className="ptag">
            <i className={`id-${hueOf(project_id)}`} />
            {project_name}
          </span>
        ))}
      </td>
      <td>{data === undefined ? '' : rights.size === 1 ? [...rights][0] : 'Custom'}</td>
      <TokenEnd agent={agent} />
    </TableRow>
  );
}
