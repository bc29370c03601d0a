import type { FeedEntry, Step } from 'errand/client';
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { Attempt, Check, Run } from '../api/attempts.ts';
import type { Card } from '../api/board.ts';
import { clock, duration, exact } from '../text/time.ts';
import { plural } from '../text/words.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { saveAs } from './save-as.ts';
import { linesOf } from './timeline/output.ts';
import { OutputWell } from './timeline/output-well.tsx';
import './details.css';
import { Fact } from '../ui/fact.tsx';
import './timeline/step-detail.css';

/** A fact that may be unknown: then it is not shown. */
interface KnownProps {
  readonly name: string;
  readonly value: string | null | undefined;
  /** Ids and paths are copied, and read in mono. */
  readonly copies?: boolean;
  readonly children?: ReactNode;
}

function Known({ name, value, copies = false, children }: KnownProps) {
  if (value === null || value === undefined || value === '') return null;
  return (
    <Fact name={name}>
      <span className={copies ? 'mono' : undefined}>{value}</span>
      {copies ? <CopyButton text={value} label={`Copy: ${name}`} /> : null}
      {children}
    </Fact>
  );
}

const CHECKS: Readonly<Record<Check['status'], { readonly word: string; readonly tone?: 'done' | 'fail' | 'run' }>> = {
  running: { word: 'Running', tone: 'run' },
  passed: { word: 'Passed', tone: 'done' },
  failed: { word: 'Failed', tone: 'fail' },
  timed_out: { word: 'Timed out', tone: 'fail' },
  stopped: { word: 'Stopped' },
};

function CheckRow({ check: { name, status, exit_code, started_at, ended_at, output } }: { readonly check: Check }) {
  const { word, tone } = CHECKS[status];
  const took = ended_at === null ? '' : duration(Date.parse(ended_at) - Date.parse(started_at));
  return (
    <section className="check" aria-label={`Check ${name}`}>
      <header>
        <b>{name}</b>
        <Badge tone={tone}>{word}</Badge>
        <span className="faint num">
          {[exit_code === null ? '' : `exit ${exit_code}`, took].filter(Boolean).join(', ')}
        </span>
      </header>
      {output === '' ? null : <OutputWell output={{ command: 'End of its output', lines: linesOf(output) }} />}
    </section>
  );
}

/** Raw events that are shown; the download has all. */
const MAX_RAW = 200;

interface DetailsProps {
  readonly attempt: Attempt;
  readonly run: Run | undefined;
  readonly card: Card | null;
  readonly steps: readonly Step[];
  readonly entries: readonly FeedEntry[];
  readonly isWhole: boolean;
}

/**
 * The tab “Details” of an attempt: ids, folder, session, the checks with their output, raw events and their download.
 */
export function Details({ attempt, run, card, steps, entries, isWhole }: DetailsProps) {
  const [isRaw, setRaw] = useState(false);
  const [session] = attempt.sessions;
  const checks = attempt.checks ?? [];
  const claim = card?.claim ?? null;
  const download = () =>
    saveAs(`${attempt.key ?? attempt.attempt_id}.json`, JSON.stringify({ attempt, run, steps, entries }, null, 2));
  return (
    <div className="detailspage">
      <div className="measure">
        <dl className="sheet">
          <Known name="Attempt" value={attempt.attempt_id} copies />
          <Known name="Run" value={attempt.run?.execution_id} copies />
          <Known name="Agent session" value={run?.session_id} copies />
          <Known name="Worktree" value={run?.worktree_path} copies />
          <Known
            name="Executor"
            value={session === undefined ? null : [session.executor, session.variant].filter(Boolean).join(', ')}
          />
          <Known name="Client" value={run?.client} />
          {attempt.repos.map(({ repo_id, repo_name, target_branch, base_commit }) => (
            <Known
              key={repo_id}
              name={attempt.repos.length === 1 ? 'Base' : `Base of ${repo_name}`}
              value={base_commit === null ? target_branch : `${target_branch} at ${base_commit.slice(0, 12)}`}
              copies
            />
          ))}
          <Known name="Claim" value={claim === null ? null : `${claim.name} until ${clock(claim.expires_at)}`} />
          <Known name="Begun" value={exact(attempt.created_at)} />
        </dl>
        <h2>Checks</h2>
        {checks.length === 0 ? (
          <p className="quiet">No checks have run. “Verify” runs those of the project.</p>
        ) : (
          checks.map((check) => <CheckRow key={`${check.repo_id} ${check.name} ${check.started_at}`} check={check} />)
        )}
        <h2>Events</h2>
        <p className="quiet">
          {plural(steps.length, 'step')} and {plural(entries.length, 'entry', 'entries')}
          {isWhole ? '.' : ' are loaded so far.'}
        </p>
        <div className="detail-acts">
          <Button icon="download" onClick={download}>
            Download events
          </Button>
          <Button kind="plain" aria-expanded={isRaw} onClick={() => setRaw(!isRaw)}>
            Raw events
          </Button>
        </div>
        {isRaw ? (
          <OutputWell
            output={{
              command: `The last ${Math.min(MAX_RAW, entries.length)} events`,
              lines: entries.slice(-MAX_RAW).map((entry) => JSON.stringify(entry)),
            }}
          />
        ) : null}
      </div>
    </div>
  );
}
