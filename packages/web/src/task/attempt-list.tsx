import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { barOf, workerOf } from '../api/runs.ts';
import type { AttemptRow } from '../api/task.ts';
import { taskRunsQuery } from '../api/task.ts';
import { span } from '../text/time.ts';
import { AgentTile } from '../ui/agent-tile.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Diffstat } from '../ui/diffstat.tsx';
import { StatusIcon } from '../ui/status-icon.tsx';
import { StepBar } from '../ui/step-bar.tsx';
import { ATTEMPT_LOOKS, attemptNumber, attemptPath } from './attempt-looks.ts';
import type { TaskView } from './use-task.ts';
import './attempt-list.css';
import { lazily } from '../ui/lazily.ts';

const CompareDialog = lazily(() => import('./compare-dialog.tsx').then(({ CompareDialog }) => CompareDialog));

/** States that their icon does not tell apart. */
const SHOWN_WORDS: ReadonlySet<AttemptRow['state']> = new Set(['review', 'merged', 'archived']);

interface AttemptListProps {
  readonly view: TaskView;
  readonly canWrite: boolean;
  /** Undefined for those who may not start agents, and where another button does it. */
  readonly onStart?: (() => void) | undefined;
}

/**
 * The attempts of a task, newest first: state, verdict of the checks, time, changed lines; Compare where there are two.
 */
export function AttemptList({ view, canWrite, onStart }: AttemptListProps) {
  const [isComparing, setComparing] = useState(false);
  const { attempts, compared, seen } = view;
  const { data: runs = [] } = useQuery({ ...taskRunsQuery(seen.task_id), enabled: attempts.length > 0 });
  const start =
    onStart === undefined ? null : (
      <Button kind={attempts.length === 0 ? 'normal' : 'plain'} size="small" icon="play" keys="s" onClick={onStart}>
        Start attempt
      </Button>
    );
  if (attempts.length === 0) {
    return start === null ? null : (
      <>
        <h2>Attempts</h2>
        <p className="no-attempts">
          <span className="quiet">No agent has worked on it yet.</span>
          {start}
        </p>
      </>
    );
  }
  return (
    <>
      <h2>
        Attempts <span className="num">{attempts.length}</span>
        <span className="grow" />
        {compared.length > 1 ? (
          <Button kind="plain" size="small" onClick={() => setComparing(true)}>
            Compare
          </Button>
        ) : null}
        {start}
      </h2>
      <ol className="atts">
        {attempts.map(({ attempt_id, key, state, verdict, reason, latest_session_executor, workspace_branch }) => {
          const [look, word] = ATTEMPT_LOOKS[state];
          const figures = compared.find((each) => each.attempt_id === attempt_id);
          const run = runs.find((each) => each.attempt_id === attempt_id);
          const bar = run === undefined ? null : barOf(run);
          const executor = latest_session_executor ?? 'agent';
          const who = run === undefined ? { id: executor, name: executor } : workerOf(run);
          return (
            <li key={attempt_id}>
              <Link
                to={attemptPath({ key, attempt_id })}
                title={reason ?? (figures?.files === 0 ? undefined : workspace_branch)}
              >
                <StatusIcon of="run" status={look} named />
                <b>Attempt {attemptNumber(key)}</b>
                <span className="att-state">
                  {SHOWN_WORDS.has(state) ? word : null}
                  {verdict === null ? null : (
                    <Badge tone={verdict === 'green' ? 'done' : 'fail'}>{verdict === 'green' ? 'Green' : 'Red'}</Badge>
                  )}
                </span>
                <time>{figures === undefined || figures.seconds === 0 ? '' : span(figures.seconds * 1_000)}</time>
                <span className="att-who">
                  <AgentTile id={who.id} name={who.name} size={16} silent />
                  {who.name}
                </span>
                {bar !== null ? (
                  <StepBar steps={bar} counted />
                ) : figures !== undefined && figures.added + figures.removed > 0 ? (
                  <Diffstat added={figures.added} removed={figures.removed} />
                ) : null}
              </Link>
            </li>
          );
        })}
      </ol>
      <Suspense>
        {isComparing ? <CompareDialog view={view} canWrite={canWrite} onClose={() => setComparing(false)} /> : null}
      </Suspense>
    </>
  );
}
