import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { type Board, boardQuery, type Card } from '../api/board.ts';
import { meQuery } from '../api/me.ts';
import { rememberProject, useProjectName } from '../shell/project.ts';
import { useFloats } from '../shell/theme.ts';
import { BoardBar } from './board-bar.tsx';
import { BoardColumn } from './board-column.tsx';
import { BoardEmpty } from './board-empty.tsx';
import { BoardSkeleton } from './board-skeleton.tsx';
import { BoardUnmatched } from './board-unmatched.tsx';
import { ColumnTabs } from './column-tabs.tsx';
import { type BoardFilter, choicesOf, filtered, filterIn, isFiltering, withoutFloating } from './filter.ts';
import { FoldedColumn } from './folded-column.tsx';
import { columnShown } from './groups.ts';
import { useKeepFocus } from './keep-focus.ts';
import { useBoardKeys } from './keys.ts';
import { useMove } from './move.ts';
import { MoveMenu } from './move-menu.tsx';
import { useRecentChanges } from './recent.ts';
import { useMore } from './use-more.ts';
import { useReadOn } from './use-read-on.ts';
import { ViewsMenu } from './views-menu.tsx';
import './board.css';
import { PageFailure } from '../shell/page-failure.tsx';
import { lazily } from '../ui/lazily.ts';

const TaskPanel = lazily(() => import('../task/task-panel.tsx').then(({ TaskPanel }) => TaskPanel));

const NONE: ReadonlySet<string> = new Set();
const NO_FOLDS: ReadonlyMap<string, boolean> = new Map();

/**
 * The tasks of a project in columns, one for each state. Cancelled ones are folded, others on demand; a task named in the address is open
 * in a panel.
 */
export function BoardPage() {
  const { key } = useParams({ from: '/frame/p/$key' });
  const search = useSearch({ from: '/frame/p/$key' });
  const { task } = search;
  const filter = useMemo(() => filterIn({ ...search }), [search]);
  const navigate = useNavigate({ from: '/p/$key' });
  const query = boardQuery(key);
  const { data: board, error, refetch, isFetching } = useQuery(query);
  const { data: me } = useQuery(meQuery);
  const myId = me?.user.user_id ?? null;
  const [here, setHere] = useState<string | null>(null);
  const [last, setLast] = useState<string | null>(null);
  // The columns that a person has folded or unfolded, by state.
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(NO_FOLDS);
  const named = useLocation({ select: ({ hash }) => hash });
  const [selected, setSelected] = useState(NONE);
  const element = useRef<HTMLDivElement>(null);
  useRecentChanges(board, myId);

  const name = useProjectName(board);

  useEffect(() => rememberProject(key), [key]);
  useEffect(() => {
    if (name !== undefined) document.title = `Board · ${name} · Errand`;
  }, [name]);

  const open = useCallback(
    (card: Card) => void navigate({ search: (now) => ({ ...now, task: card.key ?? card.task_id }) }),
    [navigate],
  );
  const move = useMove(key, open);
  const openPage = (card: Card) => void navigate({ to: '/t/$key', params: { key: card.key ?? card.task_id } });
  const more = useMore(key);
  useReadOn(key, board, isFiltering(filter));
  const fold = useCallback(
    (status: string, isFolded = true) => setFolds((now) => new Map(now).set(status, isFolded)),
    [],
  );
  const drop = useCallback((card: Card, to: string, at: number) => move({ card, to, at }), [move]);
  const keys = useBoardKeys({ board, element, selected, onSelect: setSelected, onOpen: open, onPage: openPage });
  // The typed text is drawn first, then the cards that match it.
  const applied = useDeferredValue(filter);
  const floats = useFloats();
  const shown = useMemo(
    () => board && filtered(floats ? board : withoutFloating(board), applied, myId),
    [board, applied, myId, floats],
  );
  const { lastCard } = useKeepFocus(element, shown);

  if (shown === undefined || board === undefined) {
    return (
      <main className="view" id="content">
        {error === null ? (
          <BoardSkeleton />
        ) : (
          <div className="page">
            <PageFailure
              what="The board could not be loaded"
              error={error}
              project={key}
              reader={me?.user.name}
              retrying={isFetching}
              onRetry={refetch}
            />
          </div>
        )}
      </main>
    );
  }

  const setFilter = (next: BoardFilter) =>
    void navigate({ search: task === undefined ? { ...next } : { ...next, task }, replace: true });
  const isFolded = ({ status, group }: Board['columns'][number]): boolean =>
    folds.get(status) ?? (group === 'cancelled' && status !== named);
  const columns = shown.columns.filter((column) => !isFolded(column));
  const folded = shown.columns.filter((column) => isFolded(column) && (column.count > 0 || folds.has(column.status)));
  const current = columnShown(columns, { chosen: here ?? named, last });
  if (current !== undefined && current.status !== last) setLast(current.status);
  const canWrite =
    me?.projects.find(({ project_id }) => project_id === board.project_id)?.scopes.includes('board:write') ?? false;

  const total = board.columns.reduce((sum, { count }) => sum + count, 0);
  // More may match among what is not read yet.
  const isWhole = board.columns.every(({ next_cursor }) => next_cursor === undefined);
  const isUnmatched =
    total > 0 && isWhole && isFiltering(filter) && shown.columns.every(({ cards }) => cards.length === 0);

  return (
    <main className="view" id="content">
      <h1 className="sr">Board of {name}</h1>
      <BoardBar board={board} filter={filter} onFilter={setFilter}>
        <ViewsMenu
          key={key}
          place={`board ${key}`}
          search={{ ...filter }}
          onShow={(next) => setFilter(filterIn(next))}
        />
      </BoardBar>
      <ColumnTabs columns={columns} current={current?.status} onChoose={setHere} />
      {total === 0 ? <BoardEmpty board={board} canWrite={canWrite} /> : null}
      {isUnmatched ? (
        <BoardUnmatched hidden={total} filter={filter} choices={choicesOf(board)} onFilter={setFilter} />
      ) : null}
      <div className="board" ref={element} hidden={isUnmatched}>
        {columns.map((column) => (
          <BoardColumn
            key={column.status}
            projectId={board.project_id}
            column={column}
            isHere={column.status === current?.status}
            isNamed={column.status === named}
            openKey={task}
            selected={selected}
            canWrite={canWrite}
            onOpen={open}
            onMore={more}
            onFold={fold}
            onDrop={drop}
          />
        ))}
        {folded.map((column) => (
          <FoldedColumn
            key={column.status}
            column={column}
            isFresh={folds.has(column.status)}
            onUnfold={() => fold(column.status, false)}
          />
        ))}
      </div>
      {keys.moving === null ? null : (
        <MoveMenu
          columns={board.columns}
          anchor={keys.moving.anchor}
          finalFocus={lastCard}
          onMove={(status) => {
            for (const card of keys.moving?.cards ?? []) move({ card, to: status });
            setSelected(NONE);
            keys.endMove();
          }}
          onClose={keys.endMove}
        />
      )}
      <Suspense>{task === undefined ? null : <TaskPanel project={key} name={task} />}</Suspense>
    </main>
  );
}
