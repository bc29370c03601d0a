import { type ReactNode, Suspense, useState } from 'react';
import type { Board } from '../api/board.ts';
import { Button } from '../ui/button.tsx';
import { CommandLine } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icons.ts';
import { lazily } from '../ui/lazily.ts';
import { ConnectPanel } from './connect-panel.tsx';
import { QuickAdd } from './quick-add.tsx';
import './board-empty.css';

const ImportTasks = lazily(() => import('./import/import-tasks.tsx').then(({ ImportTasks }) => ImportTasks));

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

/** A board without a task: three ways to begin, by typing, by an import, by an agent, and who is connected. */
export function BoardEmpty({ board, canWrite }: BoardEmptyProps) {
  const [isImporting, setImporting] = useState(false);
  const first = board.columns.find(({ group }) => group === 'unstarted') ?? board.columns[0];
  return (
    <section className="first" aria-label="Ways to begin">
      <div className="first-main">
        <h2>Your board is ready. Put work on it.</h2>
        <div className="ways">
          {canWrite && first !== undefined ? (
            <>
              <Way icon="edit" title="Type a task" says="Paste a list to add many.">
                <QuickAdd projectId={board.project_id} status={first.status} column={first.name} stays />
              </Way>
              <Way
                icon="import"
                title="Import what you have"
                says="Backlog.md, beads, task-master, GitHub issues, CSV or a Markdown list."
              >
                <div className="way-do">
                  <Button onClick={() => setImporting(true)}>Import</Button>
                  <CommandLine command="npx errand import tasks.json" />
                </div>
              </Way>
            </>
          ) : null}
          <Way
            icon="plan"
            title="Let an agent plan"
            says="Tell a connected agent what you want; it writes the tasks here."
          >
            <CommandLine command={`plan the tasks of ${board.key ?? 'this release'} in Errand`} />
          </Way>
        </div>
      </div>
      <ConnectPanel />
      <Suspense>
        {isImporting ? (
          <ImportTasks
            project={{ project_id: board.project_id, name: board.name }}
            onClose={() => setImporting(false)}
          />
        ) : null}
      </Suspense>
    </section>
  );
}
