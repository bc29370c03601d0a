import { useQuery } from '@tanstack/react-query';
import { listSteps } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { shortAttemptQuery } from '../api/inbox.ts';
import { RUN_WORDS, runLook } from '../text/words.ts';
import { Diffstat } from '../ui/diffstat.tsx';
import { Icon } from '../ui/icon.tsx';
import { Elapsed } from '../ui/relative-time.tsx';
import { StepBar } from '../ui/step-bar.tsx';

const SHOWN_STEPS = 4;
const MARKS = {
  completed: ['check', 'done'],
  failed: ['x', 'fail'],
  skipped: ['skip', ''],
  running: ['play', ''],
} as const;

interface BeforeProps {
  readonly attemptId: string;
  /** The run waits for the person who reads this. */
  readonly waits: boolean;
}

/** What the agent did just before, its last four steps: enough to answer without leaving the inbox. */
export function Before({ attemptId, waits }: BeforeProps) {
  const { data: attempt } = useQuery(shortAttemptQuery(attemptId));
  const run = attempt?.run ?? null;
  const { data: listed } = useQuery({
    queryKey: ['run', run?.execution_id ?? null, 'steps'],
    enabled: run !== null,
    queryFn: ({ signal }) => answerOf(listSteps(run?.execution_id ?? '', { limit: 200 }, { signal })),
  });
  if (attempt === undefined || run === null) return null;
  const goes = run.status === 'running' ? 1 : 0;
  const now = Math.min(goes, run.steps_total - run.steps_done);
  const { files, insertions, deletions } = attempt.changes;
  return (
    <section className="before">
      <h2>Just before</h2>
      <div className="now">
        <span className="now-text">{run.current_step?.name ?? RUN_WORDS[runLook(run.status, waits)]}</span>
        {files === 0 ? null : <Diffstat added={insertions} removed={deletions} />}
        {run.steps_total === 0 ? null : (
          <span className="num">
            {run.steps_done}/{run.steps_total}
          </span>
        )}
      </div>
      {run.steps_total === 0 ? null : (
        <StepBar
          big
          steps={{
            completed: run.steps_done,
            [waits ? 'waiting' : 'running']: now,
            planned: run.steps_total - run.steps_done - now,
          }}
        />
      )}
      <ol>
        {(listed?.steps ?? []).slice(-SHOWN_STEPS).map((step) => {
          const [icon, tone] = MARKS[step.status];
          return (
            <li key={step.step_id}>
              <Icon name={icon} className={tone === '' ? undefined : `g ${tone}`} />
              <span>{step.step_name}</span>
              <Elapsed from={step.started_at} to={step.ended_at ?? undefined} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}
