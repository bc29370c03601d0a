import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { boardQuery } from '../api/board.ts';
import { type Bindings, useKeys } from '../keys/bindings.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { pageClock } from '../ui/use-clock.ts';
import { AttemptList } from './attempt-list.tsx';
import { Composer } from './composer.tsx';
import { PanelHead } from './panel-head.tsx';
import { Pills } from './pills.tsx';
import { TaskBanner } from './task-banner.tsx';
import { TaskContent } from './task-content.tsx';
import { TaskFailure, TaskSkeleton } from './task-failure.tsx';
import { TaskMenu } from './task-menu.tsx';
import { orderOf } from './task-order.ts';
import { TaskTitle } from './task-title.tsx';
import { useOpenTask } from './use-open-task.ts';
import { useTask } from './use-task.ts';
import './task-panel.css';
import '../ui/block.css';
import { lazily } from '../ui/lazily.ts';

const StartAttempt = lazily(() => import('./start-attempt.tsx').then(({ StartAttempt }) => StartAttempt));

interface TaskPanelProps {
  readonly project: string;
  readonly name: string;
}

/** A key pressed in a menu or a dialog above the panel is not for the panel. */
const isAbove = (event: KeyboardEvent): boolean =>
  event.target instanceof Element && event.target.closest('.menu, .pop, .dialog, .palette') !== null;

/** A task over the board, which stays usable beside it. */
export function TaskPanel({ project, name }: TaskPanelProps) {
  const navigate = useNavigate({ from: '/p/$key' });
  const { view, error, isFetching, refetch } = useTask(name);
  const open = useOpenTask(name, view);
  const { edits, rights, start } = open;
  const { data: board } = useQuery({ ...boardQuery(project), enabled: false });
  const place = orderOf(board, name, pageClock.now());
  const panel = useRef<HTMLElement>(null);

  // Readers and the Tab key begin in the panel; when it closes, they are back at the card.
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  const id = view?.seen.task_id;
  const close = () => {
    document.querySelector<HTMLElement>(`[data-task="${id ?? ''}"]`)?.focus();
    void navigate({ search: ({ task: _closed, ...rest }) => rest });
  };
  const show = (other: string | null | undefined) => {
    if (other) void navigate({ search: (now) => ({ ...now, task: other }), replace: true });
  };
  const openPage = () => void navigate({ to: '/t/$key', params: { key: name } });
  const next = () => show(place?.after);
  const previous = () => show(place?.before);
  const bindings: Bindings = {
    escape: { does: 'Close', run: (event) => (isAbove(event) ? undefined : close()) },
    'mod+enter': { does: 'Open as page', run: openPage },
    j: { does: 'Next task', run: next },
    k: { does: 'Previous task', run: previous },
    arrowdown: { run: next },
    arrowup: { run: previous },
    ...(edits !== null && { m: { does: 'Move to a state', run: () => open.setMoving(true) } }),
    ...(start !== undefined && { s: { does: 'Start an attempt', run: start } }),
  };
  useKeys(bindings);

  const key = view?.seen.task.key ?? name;
  return (
    <section
      className="panel"
      role="dialog"
      aria-label={`${key} ${view?.seen.task.title ?? ''}`}
      ref={panel}
      tabIndex={-1}
    >
      <PanelHead
        name={key}
        taskId={view?.isGone ? undefined : id}
        place={place}
        onShow={show}
        onPage={openPage}
        onClose={close}
      >
        {view === null ? null : (
          <TaskMenu
            view={view}
            edits={edits}
            change={open.change}
            canDelete={rights.canDelete}
            onStart={start}
            onDeleted={close}
            trigger={<IconButton icon="more" label="More" />}
          />
        )}
      </PanelHead>
      <div className="panel-body">
        {view === null ? (
          error === null ? (
            <TaskSkeleton />
          ) : (
            <TaskFailure error={error} retrying={isFetching} onRetry={refetch} />
          )
        ) : (
          <>
            <TaskBanner view={view} moved={open.moved} onForget={open.forgetMove} />
            <TaskTitle key={id} title={view.seen.task.title} edits={edits} />
            <Pills view={view} edits={edits} isMoving={open.isMoving} onMoving={open.setMoving} />
            <TaskContent view={view} edits={edits} canRun={rights.canRun} onFollowUp={open.followUp}>
              <section className="block panel-atts">
                <AttemptList view={view} canWrite={edits !== null} onStart={start} />
              </section>
            </TaskContent>
          </>
        )}
      </div>
      {view === null || edits === null ? null : (
        <Composer
          key={id}
          view={view}
          edits={edits}
          way={open.way}
          onWay={open.setWay}
          onStart={start}
          inputRef={open.composer}
        />
      )}
      <Suspense>
        {open.isStarting && view !== null ? (
          <StartAttempt seen={view.seen} onClose={() => open.setStarting(false)} />
        ) : null}
      </Suspense>
    </section>
  );
}
