import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { CRUMBS } from './crumbs.tsx';
import { LiveStatus } from './live-status.tsx';
import { ProjectSwitch } from './project-switch.tsx';
import { usePlace } from './use-place.ts';
import './top-bar.css';

interface TopBarProps {
  readonly onSearch: () => void;
  readonly onNewTask: () => void;
  readonly onImport: () => void;
}

/** The bar above every page: project, way back, search, live dot; “New task” only where pages are about tasks. */
export function TopBar({ onSearch, onNewTask, onImport }: TopBarProps) {
  const place = usePlace();
  // Other pages have a main button of their own, and the key makes a task on all of them.
  const isOfTasks = place?.isOfProject === true || place?.counts === 'waiting';
  return (
    <header className="top">
      <ProjectSwitch onImport={onImport} />
      <div className="crumbs-at" id={CRUMBS} />
      <span className="grow" />
      <button className="search" type="button" onClick={onSearch}>
        <Icon name="search" />
        <span>Search or run a command</span>
        <Kbd keys="mod+k" />
      </button>
      <LiveStatus />
      {isOfTasks ? (
        <Button kind="primary" icon="plus" keys="c" data-testid="new-task" onClick={onNewTask}>
          New task
        </Button>
      ) : null}
    </header>
  );
}
