import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { meQuery } from '../api/me.ts';
import { MAX_ROWS, taskListQuery } from '../api/task-list.ts';
import { BoardBar } from '../board/board-bar.tsx';
import { BoardEmpty } from '../board/board-empty.tsx';
import { filtered, filterIn } from '../board/filter.ts';
import { ViewsMenu } from '../board/views-menu.tsx';
import { rememberProject, useProjectName } from '../shell/project.ts';
import { count, namesIn, PRIORITY_WORDS } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { Empty } from '../ui/empty.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu } from '../ui/menu.tsx';
import { Skeleton, SkeletonRows } from '../ui/skeleton.tsx';
import { type Edit, useBulk } from './bulk.ts';
import { BulkActions } from './bulk-actions.tsx';
import { csvOf } from './csv.ts';
import { download } from './download.ts';
import { GROUPS, type GroupBy, itemsOf, nameOf, type Row, rowsOf, sorted } from './rows.ts';
import { stateItems } from './state-items.tsx';
import { TaskTable } from './task-table.tsx';
import { sortedBy, type TableView, tableViewIn } from './view.ts';
import '../ui/field.css';
import './tasks.css';
import { PageFailure } from '../shell/page-failure.tsx';

const NONE: ReadonlySet<string> = new Set();

/**
 * All tasks of a project in a dense table, to filter, sort, group, select and download as CSV. It says when it holds
 * only a part of them.
 */
export function TasksPage() {
  const { key } = useParams({ from: '/frame/p/$key/tasks' });
  const view: TableView = useSearch({ from: '/frame/p/$key/tasks' });
  const navigate = useNavigate();
  const { data: board, error, refetch, isFetching } = useQuery(taskListQuery(key));
  const { data: me } = useQuery(meQuery);
  const [selected, setSelected] = useState(NONE);
  const [moving, setMoving] = useState<{ readonly row: Row; readonly anchor: Element } | null>(null);
  // As a state: the table is drawn before its scroller is known, and once more after.
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const bulk = useBulk(key);

  const name = useProjectName(board);

  useEffect(() => rememberProject(key), [key]);
  useEffect(() => {
    if (name !== undefined) document.title = `Tasks · ${name} · Errand`;
  }, [name]);

  const myId = me?.user.user_id ?? null;
  const filter = useMemo(() => filterIn({ ...view }), [view]);
  const rows = useMemo(() => {
    const found = board === undefined ? [] : rowsOf(filtered(board, filter, myId));
    return view.sort === undefined ? found : sorted(found, view.sort, view.down === true);
  }, [board, filter, myId, view.sort, view.down]);
  const items = useMemo(() => itemsOf(rows, view.group), [rows, view.group]);
  const open = useCallback((row: Row) => void navigate({ to: '/t/$key', params: { key: nameOf(row) } }), [navigate]);
  const toggle = useCallback(
    (task: string) =>
      setSelected((now) => {
        const next = new Set(now);
        if (!next.delete(task)) next.add(task);
        return next;
      }),
    [],
  );

  if (board === undefined) {
    return (
      <main className="view" id="content">
        <div className="page tasks-page">
          {error === null ? (
            <Skeleton label="Tasks">
              <SkeletonRows rows={16} />
            </Skeleton>
          ) : (
            <PageFailure
              what="The tasks could not be loaded"
              error={error}
              project={key}
              reader={me?.user.name}
              retrying={isFetching}
              onRetry={refetch}
            />
          )}
        </div>
      </main>
    );
  }

  const project = me?.projects.find(({ project_id }) => project_id === board.project_id);
  const canWrite = project?.scopes.includes('board:write') ?? false;
  const show = (next: TableView) =>
    void navigate({ to: '/p/$key/tasks', params: { key }, search: next, replace: true });
  const group = (by: GroupBy | undefined) => {
    const { group: _, ...rest } = view;
    show(by === undefined ? rest : { ...rest, group: by });
  };
  // What is filtered out is not meant, though it stays selected.
  const chosen = rows.filter(({ card }) => selected.has(card.task_id));
  const stateName = (status: string) => board.columns.find((column) => column.status === status)?.name ?? status;
  const edit = (meant: readonly Row[], wanted: Edit) => {
    const { status, priority } = wanted;
    setSelected(NONE);
    void bulk.change(meant, wanted, (tasks) =>
      status === undefined
        ? `Set ${tasks} to ${PRIORITY_WORDS[priority ?? 'none']}`
        : `Moved ${tasks} to ${stateName(status)}`,
    );
  };
  const total = board.columns.reduce((sum, column) => sum + column.count, 0);
  const read = board.columns.reduce((sum, column) => sum + column.cards.length, 0);

  return (
    <main className="view" id="content">
      <h1 className="sr">Tasks of {name}</h1>
      <BoardBar board={board} filter={filter} onFilter={(next) => show({ ...onlyTable(view), ...next })}>
        <ViewsMenu key={key} place={`tasks ${key}`} search={{ ...view }} onShow={(next) => show(tableViewIn(next))} />
        <Menu
          label="Group by"
          align="end"
          items={[
            { id: 'none', label: 'No groups', current: view.group === undefined, onSelect: () => group(undefined) },
            ...namesIn(GROUPS).map((by) => ({
              id: by,
              label: GROUPS[by],
              current: view.group === by,
              onSelect: () => group(by),
            })),
          ]}
          trigger={
            <Chip opens on={view.group !== undefined}>
              {view.group === undefined ? 'Group' : `Group: ${GROUPS[view.group]}`}
            </Chip>
          }
        />
        <IconButton
          icon="download"
          label="Download as CSV"
          onClick={() => download(`${key}-tasks.csv`, 'text/csv;charset=utf-8', csvOf(rows))}
        />
      </BoardBar>
      <div className="page tasks-page" ref={setScroller}>
        {total > read ? (
          <p className="hint">
            These are {count(read)} of {count(total)} tasks: the table reads at most {count(MAX_ROWS)}. Search finds
            all.
          </p>
        ) : null}
        {total === 0 ? <BoardEmpty board={board} canWrite={canWrite} /> : null}
        {total > 0 && rows.length === 0 ? (
          <Empty
            icon="filter"
            title="No task matches the filter."
            actions={<Button onClick={() => show(onlyTable(view))}>Clear the filter</Button>}
          />
        ) : null}
        {rows.length === 0 ? null : (
          <TaskTable
            items={items}
            scroller={scroller}
            sort={view.sort && { by: view.sort, down: view.down === true }}
            selected={selected}
            onSort={(by) => show(sortedBy(view, by))}
            onSelect={setSelected}
            onToggle={toggle}
            onOpen={open}
            onMove={(row, anchor) => (canWrite ? setMoving({ row, anchor }) : undefined)}
          />
        )}
      </div>
      {canWrite && chosen.length > 0 ? (
        <BulkActions
          board={board}
          project={project}
          count={chosen.length}
          busy={bulk.isSending}
          onEdit={(wanted) => edit(chosen, wanted)}
          onDelete={() => bulk.remove(chosen).then(() => setSelected(NONE))}
          onClear={() => setSelected(NONE)}
        />
      ) : null}
      {moving === null ? null : (
        <Menu
          label="Move to"
          filter="Move to…"
          keys="m"
          anchor={moving.anchor}
          open
          onOpenChange={(isOpen) => (isOpen ? undefined : setMoving(null))}
          items={stateItems(board, project, (status) => {
            edit(chosen.length > 0 ? chosen : [moving.row], { status });
            setMoving(null);
          })}
        />
      )}
    </main>
  );
}

/** The view without its filter. */
const onlyTable = ({ sort, down, group }: TableView): TableView => ({
  ...(sort !== undefined && { sort, ...(down && { down }) }),
  ...(group !== undefined && { group }),
});
