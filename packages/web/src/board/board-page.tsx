import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { CallError } from 'errand/client/answer';
import { useEffect, useState } from 'react';
import { boardQuery, type Card, withNextPage } from '../api/board.ts';
import { reasonOf } from '../api/client.ts';
import { rememberProject } from '../shell/project.ts';
import { taskLook } from '../text/words.ts';
import { ErrorFrame } from '../ui/error-frame.tsx';
import { StatusIcon } from '../ui/status-icon.tsx';
import { BoardColumn } from './board-column.tsx';
import { BoardSkeleton } from './board-skeleton.tsx';
import './board.css';

/** The tasks of a project in columns, one for each state. */
export function BoardPage() {
  const { key } = useParams({ from: '/frame/p/$key' });
  const { task } = useSearch({ from: '/frame/p/$key' });
  const navigate = useNavigate();
  const client = useQueryClient();
  const query = boardQuery(key);
  const { data: board, error, refetch, isFetching } = useQuery(query);
  const [here, setHere] = useState<string | null>(null);

  useEffect(() => rememberProject(key), [key]);
  useEffect(() => {
    if (board !== undefined) document.title = `Board · ${board.name} · Errand`;
  }, [board]);

  if (board === undefined) {
    return (
      <main className="view" id="content">
        {error === null ? (
          <BoardSkeleton />
        ) : (
          <ErrorFrame
            what="The board could not be loaded"
            why={reasonOf(error)}
            code={error instanceof CallError ? error.failure.code : undefined}
            requestId={error instanceof CallError ? error.failure.correlation_id : undefined}
            retrying={isFetching}
            onRetry={() => void refetch()}
          />
        )}
      </main>
    );
  }

  const shown = board.columns.filter(({ group, count }) => group !== 'cancelled' || count > 0);
  const current =
    shown.find(({ status }) => status === here) ?? shown.find(({ group }) => group === 'started') ?? shown[0];
  const open = (card: Card) =>
    void navigate({ to: '/p/$key', params: { key }, search: { task: card.key ?? card.task_id } });
  const more = async (status: string) => {
    const next = await withNextPage(board, status);
    client.setQueryData(query.queryKey, next);
  };
  return (
    <main className="view" id="content">
      <h1 className="sr">Board of {board.name}</h1>
      <nav className="col-tabs" aria-label="States">
        {shown.map(({ status, name, group, count }) => (
          <button
            key={status}
            type="button"
            aria-current={status === current?.status ? 'page' : undefined}
            onClick={() => setHere(status)}
          >
            <StatusIcon of="task" status={taskLook({ group, state: name })} />
            {name}
            <b>{count}</b>
          </button>
        ))}
      </nav>
      <div className="board">
        {shown.map((column) => (
          <BoardColumn
            key={column.status}
            column={column}
            isHere={column.status === current?.status}
            openKey={task}
            onOpen={open}
            onMore={(status) => void more(status)}
          />
        ))}
      </div>
    </main>
  );
}
