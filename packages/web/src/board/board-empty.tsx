import type { ReactNode } from 'react';
import type { Board } from '../api/board.ts';
import { CommandLine } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icons.ts';
import { ConnectPanel } from './connect-panel.tsx';
import { QuickAdd } from './quick-add.tsx';
import './board-empty.css';

interface WayProps {
  readonly icon: IconName;
  readonly title: string;
  readonly says: string;
  readonly children: ReactNode;
}

function Way({ icon, title, says, children }: WayProps) {
  return (
    <div className="way">
      <Icon name={icon} />
      <h3>{title}</h3>
      <p>{says}</p>
      {children}
    </div>
  );
}

interface BoardEmptyProps {
  readonly board: Board;
  readonly canWrite: boolean;
}

/** A board without a task: three ways to begin, by typing, by a list, by an agent, and who is connected. */
export function BoardEmpty({ board, canWrite }: BoardEmptyProps) {
  const first = board.columns.find(({ group }) => group === 'unstarted') ?? board.columns[0];
  return (
    <section className="first" aria-label="Ways to begin">
      <div className="first-main">
        <h2>Your board is ready. Put work on it.</h2>
        <div className="ways">
          {canWrite && first !== undefined ? (
            <>
              <Way icon="edit" title="Type a task" says="Enter adds it, and the next one can be typed.">
                <QuickAdd projectId={board.project_id} status={first.status} column={first.name} stays="title" />
              </Way>
              <Way icon="import" title="Paste a list" says="From a document or a table: each line becomes a task.">
                <QuickAdd projectId={board.project_id} status={first.status} column={first.name} stays="list" />
              </Way>
            </>
          ) : null}
          <Way
            icon="plan"
            title="Let an agent plan"
            says="Tell an agent that you have connected what you want, such as this; it writes the tasks here."
          >
            <CommandLine command={`plan the tasks of ${board.key ?? 'this release'} in Errand`} />
          </Way>
        </div>
      </div>
      <ConnectPanel />
    </section>
  );
}
