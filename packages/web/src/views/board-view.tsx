import { useQuery } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { boardQuery, type Card } from '../api/board.ts';
import { BoardColumn } from '../board/board-column.tsx';
import { BoardSkeleton } from '../board/board-skeleton.tsx';
import { ColumnTabs } from '../board/column-tabs.tsx';
import { useBoardKeys } from '../board/keys.ts';
import { useMove } from '../board/move.ts';
import { MoveMenu } from '../board/move-menu.tsx';
import { useMore } from '../board/use-more.ts';
import { PageFailure } from '../shell/page-failure.tsx';
import { plural } from '../text/words.ts';
import { IconButton } from '../ui/icon-button.tsx';
import '../board/board.css';

/** Cards of a column that are read at first: an answer goes through the chat twice, as text and as data. */
const FIRST_CARDS = 25;
const NONE: ReadonlySet<string> = new Set();

interface BoardViewProps {
  readonly project: string;
  readonly onOpen: (task: string) => void;
}

/** The board of a project in a chat. What a person may do there is decided by the server, call by call. */
export function BoardView({ project, onOpen }: BoardViewProps) {
  const query = boardQuery(project, FIRST_CARDS);
  const { data: board, error, isFetching, refetch } = useQuery(query);
  const [here, setHere] = useState<string | null>(null);
  const [selected, setSelected] = useState(NONE);
  const element = useRef<HTMLDivElement>(null);
  const open = useCallback((card: Card) => onOpen(card.key ?? card.task_id), [onOpen]);
  const move = useMove(project, open);
  const more = useMore(project);
  // Only the state: an order among the cards of a column needs rights on cards, which few agents have.
  const drop = useCallback((card: Card, to: string) => move({ card, to }), [move]);
  const keys = useBoardKeys({ board, element, selected, onSelect: setSelected, onOpen: open });

  if (board === undefined) {
    if (error === null) return <BoardSkeleton />;
    const what = 'The board could not be loaded';
    return <PageFailure what={what} error={error} retrying={isFetching} onRetry={refetch} />;
  }
  const columns = board.columns.filter(({ group, count }) => group !== 'cancelled' || count > 0);
  const current =
    columns.find(({ status }) => status === here) ?? columns.find(({ group }) => group === 'started') ?? columns[0];
  const total = board.columns.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <header className="view-head">
        <h1>{board.name}</h1>
        <span className="faint">{plural(total, 'task')}</span>
        <span className="grow" />
        <IconButton icon="retry" label="Refresh" onClick={() => void refetch()} />
      </header>
      <ColumnTabs columns={columns} current={current?.status} onChoose={setHere} />
      <div className="board" ref={element}>
        {columns.map((column) => (
          <BoardColumn
            key={column.status}
            projectId={board.project_id}
            column={column}
            isHere={column.status === current?.status}
            openKey={undefined}
            selected={selected}
            canWrite
            onOpen={open}
            onMore={more}
            onDrop={drop}
          />
        ))}
      </div>
      {keys.moving === null ? null : (
        <MoveMenu
          columns={board.columns}
          anchor={keys.moving.anchor}
          onMove={(status) => {
            for (const card of keys.moving?.cards ?? []) move({ card, to: status });
            setSelected(NONE);
            keys.endMove();
          }}
          onClose={keys.endMove}
        />
      )}
    </>
  );
}
