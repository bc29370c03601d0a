import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { agentCallsQuery, agentsQuery, type ListedAgent, lastRunQuery } from '../api/agents.ts';
import { clock } from '../text/time.ts';
import { CommandLine } from '../ui/copy-button.tsx';
import { Kind } from '../ui/kind.tsx';

/** More agents than these are on the page of agents. */
const MAX_SHOWN = 3;
/** How often the page asks whether the newest agent has called: an idle page sends no more than a request in 30 s. */
const LOOK_MS = 30_000;

interface AgentLineProps {
  readonly agent: ListedAgent;
  readonly isNewest: boolean;
}

/** An agent, the program that it last ran in, and whether its first request has come. */
function AgentLine({ agent: { agent_id, name, status }, isNewest }: AgentLineProps) {
  const { data } = useQuery({
    ...agentCallsQuery(agent_id),
    refetchInterval: ({ state }) => (isNewest && state.data?.calls.length === 0 ? LOOK_MS : false),
  });
  const { data: runs } = useQuery(lastRunQuery(agent_id));
  const client = runs?.[0]?.client;
  const last = data?.calls[0];
  return (
    <li>
      <span className="of">
        <Link to="/agents/$id" params={{ id: agent_id }} className="ell">
          {name}
        </Link>
        {client ? <span>{client}</span> : null}
      </span>
      {status === 'active' ? (
        data === undefined ? null : last === undefined ? (
          <Kind tone="run" icon="clock">
            Waiting
          </Kind>
        ) : (
          <Kind tone="done" icon="check">
            Connected, {clock(last.at)}
          </Kind>
        )
      ) : (
        <Kind tone="you" icon="alert">
          {status === 'owner_blocked' ? 'Owner blocked' : 'No live token'}
        </Kind>
      )}
    </li>
  );
}

/** The agents of an empty board, newest first, and how to connect one. Who may not list agents sees the command alone. */
export function ConnectPanel() {
  const { data = [] } = useQuery(agentsQuery);
  const newest = data.toReversed().slice(0, MAX_SHOWN);
  return (
    <aside className="connect" aria-label="Connect an agent">
      <h2>Connect an agent</h2>
      {newest.length === 0 ? (
        <p>Claude Code, Codex, Gemini CLI and others: each gets a token of its own.</p>
      ) : (
        <ul>
          {newest.map((agent, at) => (
            <AgentLine key={agent.agent_id} agent={agent} isNewest={at === 0} />
          ))}
        </ul>
      )}
      <CommandLine command="npx errand connect" />
    </aside>
  );
}
