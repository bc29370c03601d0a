import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Attempt, Run } from '../api/attempts.ts';
import type { Card } from '../api/board.ts';
import { clock } from '../text/time.ts';
import { plural, RUN_WORDS, runLook } from '../text/words.ts';
import { AgentTile } from '../ui/agent-tile.tsx';
import { Badge } from '../ui/badge.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Diffstat } from '../ui/diffstat.tsx';
import { Icon } from '../ui/icon.tsx';
import { LeaseRing } from '../ui/lease-ring.tsx';
import { Elapsed, RelativeTime } from '../ui/relative-time.tsx';
import { StatusIcon } from '../ui/status-icon.tsx';
import { TabLinks } from '../ui/tabs.tsx';
import { TABS, type TabName } from './attempt-search.ts';
import { branchOf, numberOf, STATE_WORDS } from './can.ts';
import { WaitingWords } from './waiting-words.tsx';
import './attempt-head.css';

const TAB_WORDS = { timeline: 'Timeline', feed: 'Feed', changes: 'Changes', details: 'Details' } as const;

/** Who works on the attempt: the agent of its run, or the executor that was started. */
export function agentOf(attempt: Attempt, card: Card | null): { readonly id: string; readonly name: string } {
  const executor = attempt.sessions[0]?.executor ?? 'agent';
  const isCards = card?.run?.execution_id === attempt.run?.execution_id;
  return (isCards ? card?.run?.agent : null) ?? { id: executor, name: executor };
}

interface AttemptHeadProps {
  readonly attempt: Attempt;
  readonly run: Run | undefined;
  readonly card: Card | null;
  readonly tab: TabName;
  /** The number of entries of the feed, as far as it is known. */
  readonly feed: string;
  readonly actions: ReactNode;
}

function Who({ attempt, run, card }: Pick<AttemptHeadProps, 'attempt' | 'run' | 'card'>) {
  const { id, name } = agentOf(attempt, card);
  const claim = card?.claim ?? null;
  const isRunning = run?.status === 'running';
  const state =
    attempt.pending_approvals > 0 ? 'waiting' : run?.liveness === 'live' ? 'claimed' : (run?.liveness ?? 'lost');
  const label = claim === null ? `${name} works on it` : `claimed by ${claim.name} until ${clock(claim.expires_at)}`;
  return (
    <span>
      {isRunning ? (
        <LeaseRing
          id={id}
          name={name}
          state={state}
          from={claim?.claimed_at ?? run.started_at}
          until={claim?.expires_at}
          label={label}
        />
      ) : (
        <AgentTile id={id} name={name} size={20} silent />
      )}
      <b>{name}</b>
      {run?.client ? <span className="quiet">{run.client}</span> : null}
    </span>
  );
}

/**
 * The head of an attempt: its number, state, verdict of the checks and time, who works on it, branch, pull requests,
 * what can be done, and its parts.
 */
export function AttemptHead({ attempt, run, card, tab, feed, actions }: AttemptHeadProps) {
  const { key, attempt_id, state, verdict, changes, pull_requests } = attempt;
  const branch = branchOf(attempt);
  const { word, tone } = STATE_WORDS[state];
  const name = key ?? attempt_id;
  const latest = attempt.run;
  const isLost = state === 'failed' && latest?.status === 'interrupted';
  return (
    <div className="att-head">
      <div className="att-line">
        {latest === null ? null : (
          <StatusIcon of="run" status={runLook(latest.status, attempt.pending_approvals > 0)} large />
        )}
        <h1>Attempt {numberOf(key)}</h1>
        <Badge tone={tone}>{isLost ? RUN_WORDS.lost : word}</Badge>
        {verdict === null ? null : (
          <Badge tone={verdict === 'green' ? 'done' : 'fail'} icon={verdict === 'green' ? 'check' : 'x'}>
            {verdict === 'green' ? 'Checks passed' : 'Checks failed'}
          </Badge>
        )}
        {latest === null ? null : (
          <Elapsed className="att-dur num" from={latest.started_at} to={latest.ended_at ?? undefined} />
        )}
        <span className="grow" />
        {actions}
      </div>
      <div className="att-facts">
        <Who attempt={attempt} run={run} card={card} />
        {branch === null ? null : (
          <span>
            <Icon name="branch" />
            <span className="mono small">{branch}</span>
            <CopyButton text={branch} label="Copy the branch" />
          </span>
        )}
        {latest === null ? null : (
          <span>
            <Icon name="clock" />
            Started <RelativeTime at={latest.started_at} as="clock" />
          </span>
        )}
        {changes.commits === null || changes.commits === 0 ? null : (
          <span>
            <Icon name="commit" />
            {plural(changes.commits, 'commit')}
          </span>
        )}
        <WaitingWords attempt={attempt} />
        {pull_requests.map(({ url, number, state: its }) => (
          <span key={url}>
            <Icon name="open" />
            <a className="link" href={url} target="_blank" rel="noopener noreferrer" title={url}>
              Pull request {number}
            </a>
            <span className="quiet">{its}</span>
          </span>
        ))}
      </div>
      <TabLinks label="Attempt">
        {TABS.map((each) => (
          <Link
            key={each}
            to="/a/$attempt"
            params={{ attempt: name }}
            search={{ tab: each }}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={each === tab ? 'page' : undefined}
          >
            {TAB_WORDS[each]}
            {each === 'feed' && feed !== '' ? <span className="num">{feed}</span> : null}
            {each === 'changes' && changes.files > 0 ? (
              <Diffstat added={changes.insertions} removed={changes.deletions} />
            ) : null}
          </Link>
        ))}
      </TabLinks>
    </div>
  );
}
