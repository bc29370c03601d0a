import { useNavigate, useParams } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { type Bindings, useKeys } from '../keys/bindings.ts';
import { Crumbs } from '../shell/crumbs.tsx';
import { rememberProject } from '../shell/project.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { KeyLabel } from '../ui/key-label.tsx';
import { useToasts } from '../ui/toast.tsx';
import { useCopy } from '../ui/use-copy.ts';
import { Composer } from './composer.tsx';
import { Facts } from './facts.tsx';
import { PeoplePicker } from './pickers.tsx';
import { Presence } from './presence.tsx';
import { promptOf } from './prompt.ts';
import { TaskBanner } from './task-banner.tsx';
import { TaskContent } from './task-content.tsx';
import { TaskFailure, TaskSkeleton } from './task-failure.tsx';
import { TaskMenu } from './task-menu.tsx';
import { TaskTitle } from './task-title.tsx';
import { useOpenTask } from './use-open-task.ts';
import { useTask } from './use-task.ts';
import './task-page.css';
import { lazily } from '../ui/lazily.ts';

const StartAttempt = lazily(() => import('./start-attempt.tsx').then(({ StartAttempt }) => StartAttempt));

/**
 * A task on a page of its own, `/t/WEB-12`: the order of its parts, and its keys: Esc back to the board, M move, S
 * start an attempt.
 */
export function TaskPage() {
  const { key: name } = useParams({ from: '/frame/t/$key' });
  const navigate = useNavigate();
  const { view, error, isFetching, refetch } = useTask(name);
  const open = useOpenTask(name, view);
  const { edits, rights, start } = open;
  const toasts = useToasts();
  const [, copy] = useCopy();
  const key = view?.seen.task.key ?? name;
  const title = view?.seen.task.title;
  const project = view?.board?.project_key ?? null;

  useEffect(() => {
    if (title !== undefined) document.title = `${key} ${title} · Errand`;
  }, [key, title]);
  useEffect(() => {
    if (project !== null) rememberProject(project);
  }, [project]);
  const back = () => void navigate({ to: project === null ? '/' : `/p/${project}` });
  const bindings: Bindings = {
    escape: { does: 'Back to the board', run: (event) => (isInPopup(event) ? undefined : back()) },
    ...(edits !== null && { m: { does: 'Move to a state', run: () => open.setMoving(true) } }),
    ...(start !== undefined && { s: { does: 'Start an attempt', run: start } }),
  };
  useKeys(bindings);

  if (view === null) {
    return (
      <main className="view task-none" id="content">
        {error === null ? <TaskSkeleton /> : <TaskFailure error={error} retrying={isFetching} onRetry={refetch} />}
      </main>
    );
  }
  const id = view.seen.task_id;
  return (
    <main className="view" id="content">
      <Crumbs to={project === null ? '/' : `/p/${project}`} place="Board" here={key} />
      <div className="taskpage">
        <div className="task-main">
          <div className="task-scroll">
            <div className="measure">
              <TaskBanner view={view} moved={open.moved} onForget={open.forgetMove} />
              <header className="task-head">
                <KeyLabel value={key} />
                <CopyButton text={key} label="Copy the key" />
                <span className="grow" />
                <Presence taskId={view.isGone ? undefined : id} />
                {edits === null ? null : (
                  <PeoplePicker
                    view={view}
                    edits={edits}
                    trigger={
                      <Button kind="plain" icon="people">
                        Hand over
                      </Button>
                    }
                  />
                )}
                <Button
                  kind="plain"
                  icon="copy"
                  onClick={() => {
                    copy(promptOf(view.seen));
                    toasts.show({ text: 'Copied the prompt' });
                  }}
                >
                  Copy prompt
                </Button>
                {start !== undefined ? (
                  <Button icon="play" keys="s" onClick={start}>
                    Start attempt
                  </Button>
                ) : null}
                <TaskMenu
                  view={view}
                  edits={edits}
                  change={open.change}
                  canDelete={rights.canDelete}
                  onStart={start}
                  onDeleted={back}
                  trigger={<IconButton icon="more" label="More" />}
                />
              </header>
              <TaskTitle key={id} title={view.seen.task.title} edits={edits} />
              <TaskContent view={view} edits={edits} canRun={rights.canRun} onFollowUp={open.followUp} />
            </div>
          </div>
          {edits === null ? null : (
            <div className="measure">
              <Composer
                key={id}
                view={view}
                edits={edits}
                way={open.way}
                onWay={open.setWay}
                onStart={start}
                inputRef={open.composer}
              />
            </div>
          )}
        </div>
        <Facts view={view} edits={edits} isMoving={open.isMoving} onMoving={open.setMoving} />
      </div>
      <Suspense>
        {open.isStarting ? <StartAttempt seen={view.seen} onClose={() => open.setStarting(false)} /> : null}
      </Suspense>
    </main>
  );
}

const isInPopup = (event: KeyboardEvent): boolean =>
  event.target instanceof Element && event.target.closest('.menu, .pop, .dialog, .palette') !== null;
