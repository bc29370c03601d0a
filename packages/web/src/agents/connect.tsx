import { useQuery } from '@tanstack/react-query';
import type { AdminCreateAgentAnswer, Setup } from 'errand/client';
import { Fragment, useState } from 'react';
import { agentCallsQuery } from '../api/agents.ts';
import { meQuery } from '../api/me.ts';
import { day } from '../text/time.ts';
import { AgentTile } from '../ui/agent-tile.tsx';
import { Choice } from '../ui/choice.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Walker } from '../ui/empty.tsx';
import { Icon } from '../ui/icon.tsx';
import { Elapsed } from '../ui/relative-time.tsx';
import { pageClock } from '../ui/use-clock.ts';
import { TokenOnce } from './token-once.tsx';
import '../ui/well.css';

export type Made = Pick<AdminCreateAgentAnswer, 'agent_id' | 'token' | 'expires_at' | 'warning'>;

const PLACEHOLDER = '<agent-token>';
/** How often the page looks whether the agent has called. */
const LOOK_MS = 2_000;

interface ConnectProps {
  readonly name: string;
  readonly program: string;
  readonly made: Made;
  readonly clients: Setup['clients'];
}

/** The clients that Errand knows, and the entry for any other one. */
export function clientsOf({ clients, mcp }: Setup): Setup['clients'] {
  const commands = JSON.stringify(mcp.config, null, 2).split('\n');
  return [...clients, { client: 'other', title: 'Other MCP client', commands }];
}

/** The token, once, with the finished line for the client, until the first request has come, also one that calls no tool. */
export function Connect({ name, program, made, clients }: ConnectProps) {
  const [chosen, setChosen] = useState(program);
  const [began] = useState(() => pageClock.now());
  const { data } = useQuery(agentCallsQuery(made.agent_id, LOOK_MS));
  // Whoever makes an agent here owns it.
  const owner = useQuery(meQuery).data?.user.name;
  const client = clients.find((each) => each.client === chosen) ?? clients[0];
  const lines = client?.commands.join('\n') ?? '';
  // Programs without a command of their own get the lines of a file, which begin with its path or with the entry itself.
  const isFile = /^(?:\/\/|#|\{)/.test(lines);
  const shown = `${made.token.slice(0, 18)}…${made.token.slice(-4)}`;
  const first = data?.calls.at(-1);
  const isSeen = first !== undefined || (data?.seen_at ?? null) !== null;
  return (
    <>
      <p className="id-line">
        <AgentTile id={made.agent_id} name={name} size={32} silent />
        <span className="two">
          <b>{name}</b>
          <span>{made.warning ?? [client?.title, owner && `for ${owner}`].filter(Boolean).join(', ')}</span>
        </span>
      </p>
      <TokenOnce
        token={made.token}
        hint={`Shown this once.${made.expires_at === null ? '' : ` It ends on ${day(made.expires_at, pageClock.now())}, no later than the sign-in that made it.`}`}
      />
      <div className="field">
        <span>Connect it</span>
        <Choice
          label="Client"
          className="wraps"
          value={client?.client ?? ''}
          options={clients.map((each) => ({ value: each.client, label: each.title }))}
          onChange={setChosen}
        />
        <div className="well setup">
          <pre className="mono">
            {isFile ? null : (
              <span className="faint" aria-hidden="true">
                {'$ '}
              </span>
            )}
            {lines.split(PLACEHOLDER).map((part, at) => (
              <Fragment key={at}>
                {at === 0 ? null : <span className="secret">{shown}</span>}
                {part}
              </Fragment>
            ))}
          </pre>
          <footer>
            <span className="faint">
              {isFile ? 'Put it into the configuration of the client' : `Run it where ${client?.title} runs`}
            </span>
            <span className="grow" />
            <CopyButton as="button" text={lines.replaceAll(PLACEHOLDER, made.token)} label="Copy with the token" />
          </footer>
        </div>
      </div>
      <p className="waiting" role="status">
        {isSeen ? <Icon name="check" className="g done" /> : <Walker />}
        <span>
          <b>{isSeen ? `${name} is connected` : 'Waiting for the first request'}</b>
          {first === undefined ? (
            <span>
              {isSeen ? 'It has called no tool yet. ' : ''}Tell {name}: <q>take the next Errand task</q>
            </span>
          ) : (
            <span>Its first call was {first.tool}.</span>
          )}
        </span>
        {isSeen ? null : <Elapsed from={began} className="num faint" />}
      </p>
    </>
  );
}
