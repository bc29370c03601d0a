import type { FeedEntry } from 'errand/client';
import { Suspense, useMemo, useState } from 'react';
import { clockSeconds, duration, exact } from '../../text/time.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Icon } from '../../ui/icon.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Elapsed } from '../../ui/relative-time.tsx';
import { StatusIcon } from '../../ui/status-icon.tsx';
import { entriesOf, isBad, outputsOf } from './output.ts';
import { OutputWell } from './output-well.tsx';
import type { StepRow } from './step-rows.ts';
import './step-detail.css';
import { lazily } from '../../ui/lazily.ts';

const Markdown = lazily(() => import('../../text/markdown.tsx').then(({ Markdown }) => Markdown));

/** Outputs of one step that are shown; the feed has all of them. */
const MAX_OUTPUTS = 20;
const MINUTE = 60_000;

const SOURCES = {
  plan: 'its plan',
  tool: 'its tool calls',
  workflow: 'a workflow',
  script: 'a script',
} as const;

interface StepDetailProps {
  readonly row: StepRow;
  readonly total: number;
  readonly entries: readonly FeedEntry[];
  readonly onMove: (by: 1 | -1) => void;
  readonly onFollowUp: () => void;
  /** The name of the agent, which reports its steps itself. */
  readonly agent: string;
}

const tookWords = (ms: number): string => (ms < MINUTE ? `${(ms / 1_000).toFixed(1)} s` : duration(ms));

/** The chosen step: what was said about it, when, and what its commands wrote. */
export function StepDetail({ row, total, entries, onMove, onFollowUp, agent }: StepDetailProps) {
  const { seq, name, look, step } = row;
  const [isUp, setUp] = useState(false);
  const during = useMemo(() => (step === null ? [] : entriesOf(entries, step)), [entries, step]);
  const outputs = useMemo(() => outputsOf(during).slice(-MAX_OUTPUTS), [during]);
  const calls = during.filter(({ kind }) => kind === 'tool_call' || kind === 'command').length;
  const failure =
    look === 'failed'
      ? (outputs
          .flatMap(({ lines }) => lines.filter(isBad))
          .at(-1)
          ?.trim() ?? 'The agent reported that this step failed.')
      : null;
  return (
    <section className={classes('tl-detail', isUp && 'up')} aria-label={`Step ${seq}`}>
      <button
        className="tl-grip"
        type="button"
        aria-expanded={isUp}
        aria-label={isUp ? 'Show less of the step' : 'Show all of the step'}
        onClick={() => setUp(!isUp)}
      />
      <header>
        <span>
          Step {seq} of {total}
        </span>
        <span className="grow" />
        <IconButton icon="up" label="Previous step" keys="p" onClick={() => onMove(-1)} />
        <IconButton icon="down" label="Next step" keys="n" onClick={() => onMove(1)} />
      </header>
      <h2>
        <StatusIcon of="step" status={look} named />
        {name}
      </h2>
      {step === null ? null : (
        <dl className="inline">
          <div>
            <dt>Started</dt>
            <dd title={exact(step.started_at)}>{clockSeconds(step.started_at)}</dd>
          </div>
          <div>
            <dt>Took</dt>
            <dd>
              {step.ended_at === null ? (
                <Elapsed from={step.started_at} />
              ) : (
                tookWords(Date.parse(step.ended_at) - Date.parse(step.started_at))
              )}
            </dd>
          </div>
          <div>
            <dt>Calls</dt>
            <dd>{calls}</dd>
          </div>
          <div>
            <dt>Reported by</dt>
            <dd>{step.source === 'agent' ? agent : SOURCES[step.source]}</dd>
          </div>
        </dl>
      )}
      {step?.message ? (
        <div className="said-by">
          <Suspense fallback={<p>{step.message}</p>}>
            <Markdown source={step.message} />
          </Suspense>
        </div>
      ) : null}
      {failure === null ? null : (
        <div className="errbox">
          <Icon name="alert" />
          <div>
            <p>
              <b>Failed</b> {failure}
            </p>
          </div>
          <Button size="small" icon="follow" onClick={onFollowUp}>
            Follow up
          </Button>
        </div>
      )}
      {outputs.map((output, at) => (
        <OutputWell key={at} output={output} />
      ))}
    </section>
  );
}
