import { useVirtualizer } from '@tanstack/react-virtual';
import type { FeedEntry, Step } from 'errand/client';
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Senders } from '../../api/attempt-feed.ts';
import type { Run } from '../../api/attempts.ts';
import { useKeys } from '../../keys/bindings.ts';
import { NewPill } from '../../ui/new-pill.tsx';
import { useClock } from '../../ui/use-clock.ts';
import { useNarrow } from '../../ui/use-narrow.ts';
import type { Answered } from '../feed/answers.ts';
import { Divider } from './divider.tsx';
import { Lanes } from './lanes.tsx';
import { Axis, Overlay } from './overlay.tsx';
import { beatOf, scaleOf } from './scale.ts';
import { signsOf, timesOf } from './spans.ts';
import { StepDetail } from './step-detail.tsx';
import { StepLine } from './step-line.tsx';
import { currentLook, newestOf, rowsOf } from './step-rows.ts';
import { type AxisKind, TimeSum } from './time-sum.tsx';
import './timeline.css';

const ROW = 36;
const NARROW_ROW = 58;
/** The axis stays above the rows and takes this height of the scroller. */
const AXIS = 28;
const FIRST_SHARE = 64;

export interface TimelineProps {
  readonly run: Run;
  readonly steps: readonly Step[];
  readonly plan: Parameters<typeof rowsOf>[1];
  /** What happened in the run, as far as it is loaded; `isWhole` when nothing older is left. */
  readonly entries: readonly FeedEntry[];
  readonly isWhole: boolean;
  /** Who sent the messages among the entries, and what was answered to their questions. */
  readonly senders: Senders;
  readonly answers: ReadonlyMap<string, Answered>;
  readonly isAsking: boolean;
  /** The chosen step; undefined to follow the newest. */
  readonly chosen: number | undefined;
  readonly onChoose: (seq: number | undefined) => void;
  readonly onFollowUp: () => void;
  /** Who works on it. */
  readonly agent: { readonly id: string; readonly name: string };
  /** Which run is shown, where there are several. */
  readonly children?: ReactNode;
}

/**
 * The steps of a run over time, and the chosen one beside them. It follows the newest step until a person scrolls away
 * or chooses one.
 */
export function Timeline(props: TimelineProps) {
  const {
    run,
    steps,
    plan,
    entries,
    isWhole,
    senders,
    answers,
    isAsking,
    chosen,
    onChoose,
    onFollowUp,
    agent,
    children,
  } = props;
  const [axis, setAxis] = useState<AxisKind>('clock');
  const [share, setShare] = useState(FIRST_SHARE);
  const [isAway, setAway] = useState(false);
  const scroller = useRef<HTMLDivElement>(null);
  const height = useNarrow() ? NARROW_ROW : ROW;

  const from = Date.parse(run.started_at);
  const isRunning = run.ended_at === null;
  const now = useClock((at) => {
    const beat = beatOf(at - from);
    return isRunning ? Math.ceil(at / beat) * beat : 0;
  }, 'second');
  const until = run.ended_at === null ? Math.max(now, from) : Date.parse(run.ended_at);
  const scale = useMemo(() => scaleOf(from, until, isRunning), [from, until, isRunning]);

  const signs = useMemo(() => signsOf(steps, entries), [steps, entries]);
  const knownFrom = isWhole || entries[0] === undefined ? from : Date.parse(entries[0].at);
  const times = useMemo(() => timesOf({ from, to: until }, signs, knownFrom), [from, until, signs, knownFrom]);
  const look = isRunning ? currentLook(run.liveness, isAsking) : null;
  const rows = useMemo(() => rowsOf(steps, plan, look === null ? null : { look }), [steps, plan, look]);

  const newest = newestOf(steps)?.seq;
  const seq = chosen ?? newest;
  const at = rows.findIndex((row) => row.seq === seq);
  const row = rows[at];
  const newestAt = rows.findIndex((each) => each.seq === newest);
  const isFollowing = chosen === undefined && !isAway;

  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
    scrollMargin: AXIS,
    scrollPaddingStart: AXIS,
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: heights of rows differ with the width of the window.
  useLayoutEffect(() => list.measure(), [height]);
  useLayoutEffect(() => {
    if (isFollowing && newestAt >= 0) list.scrollToIndex(newestAt, { align: 'auto' });
  }, [isFollowing, newestAt, list]);

  function noteScroll(): void {
    const box = scroller.current;
    if (box === null || newestAt < 0) return;
    const top = AXIS + newestAt * height;
    setAway(top < box.scrollTop || top > box.scrollTop + box.clientHeight - height);
  }

  function move(by: 1 | -1): void {
    const next = rows[Math.min(steps.length - 1, Math.max(0, at + by))];
    if (next === undefined || next.step === null) return;
    onChoose(next.seq);
    list.scrollToIndex(rows.indexOf(next), { align: 'auto' });
  }

  useKeys({
    n: { does: 'Next step', run: () => move(1) },
    p: { does: 'Previous step', run: () => move(-1) },
  });

  return (
    <div className="tl" style={{ gridTemplateColumns: `minmax(0, ${share}fr) 1px minmax(0, ${100 - share}fr)` }}>
      <section className="tl-left" aria-label="Steps over time">
        <TimeSum times={times} axis={axis} onAxis={setAxis}>
          {children}
        </TimeSum>
        <div className="tl-grid" ref={scroller} onScroll={noteScroll}>
          <div className="tl-rows">
            <Axis scale={scale} kind={axis} />
            <Overlay scale={scale} kind={axis} silences={times.silences} now={isRunning ? now : null} />
            <div className="tl-list" style={{ height: list.getTotalSize() }}>
              {list.getVirtualItems().map(({ index, start }) => {
                const each = rows[index];
                return each === undefined ? null : (
                  <StepLine
                    key={each.seq}
                    row={each}
                    isChosen={each.seq === seq}
                    top={start - AXIS}
                    height={height}
                    scale={scale}
                    now={until}
                    waits={times.waits}
                    onChoose={onChoose}
                  />
                );
              })}
            </div>
            <Lanes entries={entries} scale={scale} agent={agent} senders={senders} answers={answers} />
          </div>
        </div>
        {isRunning && !isFollowing ? (
          <NewPill
            down
            onClick={() => {
              setAway(false);
              onChoose(undefined);
            }}
          >
            Follow the newest step
          </NewPill>
        ) : null}
      </section>
      <Divider share={share} onShare={setShare} />
      {row === undefined ? null : (
        <StepDetail
          key={row.seq}
          row={row}
          total={rows.length}
          entries={entries}
          onMove={move}
          onFollowUp={onFollowUp}
          agent={agent.name}
        />
      )}
    </div>
  );
}
