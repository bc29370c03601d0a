import type { Attempt, ReviewComment } from '../../api/attempts.ts';
import { plural } from '../../text/words.ts';
import { Diffstat } from '../../ui/diffstat.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Meta } from '../../ui/meta.tsx';
import { treeRows } from './file-tree.ts';

interface FileListProps {
  readonly attempt: Attempt;
  readonly comments: readonly ReviewComment[];
  readonly seen: ReadonlySet<string>;
  readonly current: string | undefined;
  readonly onGo: (path: string) => void;
}

/**
 * The changed files by folder, with what was added and removed, how many comments, and a tick for those that were seen.
 */
export function FileList({ attempt, comments, seen, current, onGo }: FileListProps) {
  const { files = [], changes } = attempt;
  const said = Map.groupBy(comments, ({ path }) => path);
  return (
    <nav className="tree" aria-label="Changed files">
      <header>
        <b>{plural(changes.files, 'file')}</b>
        <Diffstat added={changes.insertions} removed={changes.deletions} />
      </header>
      <ul>
        {treeRows(files).map((row) =>
          row.kind === 'folder' ? (
            <li key={`folder ${row.name}`}>
              <Icon name="folder" />
              <span>{row.name}</span>
            </li>
          ) : (
            <li key={row.file.path}>
              <button
                type="button"
                className={row.depth > 0 ? 'deep' : undefined}
                aria-current={row.file.path === current ? 'true' : undefined}
                onClick={() => onGo(row.file.path)}
              >
                <Icon name="file" />
                <span>{row.name}</span>
                {said.has(row.file.path) ? (
                  <Meta icon="message" title="Comments">
                    {said.get(row.file.path)?.length}
                  </Meta>
                ) : null}
                <Diffstat added={row.file.insertions ?? 0} removed={row.file.deletions ?? 0} />
                {seen.has(row.file.path) ? <Icon name="check" className="seen-i" label="seen" /> : null}
              </button>
            </li>
          ),
        )}
      </ul>
    </nav>
  );
}
