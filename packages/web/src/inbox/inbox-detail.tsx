import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { type InboxRow, latestRunQuery, type ShortAttempt, shortAttemptQuery } from '../api/inbox.ts';
import { meQuery, scopesFor } from '../api/me.ts';
import { branchOf, NOTHING_TO_MERGE, refusalsOf } from '../attempt/can.ts';
import { AgentTile } from '../ui/agent-tile.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { KeyLabel } from '../ui/key-label.tsx';
import { Kind } from '../ui/kind.tsx';
import { LeaseRing } from '../ui/lease-ring.tsx';
import { Elapsed } from '../ui/relative-time.tsx';
import { useClock } from '../ui/use-clock.ts';
import type { Act } from './acts.ts';
import { isQuestion, LOOKS, lineOf } from './kinds.ts';
import { ReplyBox } from './reply-box.tsx';
import './inbox-detail.css';
import '../ui/well.css';
import { lazily } from '../ui/lazily.ts';

const Before = lazily(() => import('./before.tsx').then(({ Before }) => Before));

interface InboxDetailProps {
  readonly row: InboxRow;
  readonly busy: boolean;
  readonly onAct: (act: Act) => void;
  readonly onMerge: () => void;
  /** Back to the list, on a phone. */
  readonly onBack: () => void;
}

/** What a question is about: a command in one line, or a text. */
function Details({ text, attempt }: { readonly text: string; readonly attempt: ShortAttempt | undefined }) {
  const [first = '', ...rest] = text.split('\n');
  const branch = attempt === undefined ? null : branchOf(attempt);
  return (
    <div className="well cmd">
      <header>
        <Icon name="command" />
        <span className="mono">{first}</span>
        <span className="grow" />
        <CopyButton text={text} label="Copy the command" />
      </header>
      {attempt === undefined ? null : (
        <dl className="cmd-facts">
          <div>
            <dt>Runs in</dt>
            <dd className="mono">{attempt.repos.map(({ repo_name }) => repo_name).join(', ')}</dd>
          </div>
          {branch === null ? null : (
            <div>
              <dt>Branch</dt>
              <dd className="mono">{branch}</dd>
            </div>
          )}
        </dl>
      )}
      {rest.length === 0 ? null : <pre className="mono cmd-rest">{rest.join('\n')}</pre>}
    </div>
  );
}

/**
 * One entry with everything that is needed to decide (who asks and since when, command, branch, the last steps), and
 * the answers to it.
 */
export function InboxDetail({ row, busy, onAct, onMerge, onBack }: InboxDetailProps) {
  const { kind, by, task_key, title, since, attempt_key, attempt_id, details } = row;
  const look = LOOKS[kind];
  const task: string = `/t/${task_key}`;
  const line = useClock((now) => lineOf(row, now));
  const waits = isQuestion(row);
  const { data: attempt } = useQuery({ ...shortAttemptQuery(attempt_id ?? ''), enabled: attempt_id !== null });
  const { data: runs } = useQuery({ ...latestRunQuery(attempt_id ?? ''), enabled: attempt_id !== null });
  const { data: me } = useQuery(meQuery);
  // The server decides; until the attempt has been read, only the counts of the entry are known.
  const noMerge =
    attempt !== undefined && me !== undefined
      ? refusalsOf(attempt, scopesFor(me, task_key)).ship
      : row.review?.files === 0
        ? NOTHING_TO_MERGE
        : null;
  const isEmpty = row.review?.files === 0;
  const canFinish = isEmpty && task_key !== null && scopesFor(me, task_key).includes('board:write');
  const run = runs?.[0];
  const forWhom = run === undefined || run.user.name === null ? '' : `for ${run.user.name}`;
  const program = [run?.client ?? attempt_key, forWhom].filter(Boolean).join(', ');
  return (
    <section className="ib-detail" aria-label={look.one}>
      <header className="ib-dhead">
        <IconButton className="ib-back" icon="left" label="Back to the list" onClick={onBack} />
        <Kind tone={look.tone} icon={look.icon}>
          {look.one}
        </Kind>
        {task_key === null ? null : (
          <Link to={task}>
            <KeyLabel value={task_key} /> {title}
          </Link>
        )}
        <span className="grow" />
        <span className="faint num">
          {waits ? `${by?.name ?? 'It'} has waited ` : 'for '}
          <Elapsed from={since} />
        </span>
      </header>
      <div className="ib-dbody">
        <h1 className={kind === 'failed' || kind === 'job' ? 'title said-code' : 'title'}>{line}</h1>
        {by === null ? null : (
          <p className="asker">
            {waits ? (
              <LeaseRing
                id={by.id}
                name={by.name}
                state="waiting"
                from={run?.claim?.claimed_at}
                until={run?.claim?.expires_at}
                label={`${by.name} waits for you`}
              />
            ) : (
              <AgentTile id={by.id} name={by.name} silent />
            )}
            <b>{by.name}</b>
            {program === '' ? null : <span className="quiet">{program}</span>}
          </p>
        )}
        {details === null ? null : <Details text={details} attempt={attempt} />}
        <ReplyBox
          key={row.approval_id ?? `${kind}-${attempt_id}`}
          row={row}
          busy={busy}
          noMerge={isEmpty ? NOTHING_TO_MERGE : noMerge}
          canFinish={canFinish}
          onAct={onAct}
          onMerge={onMerge}
        />
        {attempt_id === null ? null : (
          <Suspense>
            <Before attemptId={attempt_id} waits={waits} />
          </Suspense>
        )}
      </div>
    </section>
  );
}
