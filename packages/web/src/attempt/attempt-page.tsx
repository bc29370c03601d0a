import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { CallError } from 'errand/client/answer';
import { useEffect } from 'react';
import { attemptQuery } from '../api/attempts.ts';
import { PageFailure } from '../shell/page-failure.tsx';
import { Empty } from '../ui/empty.tsx';
import { Block, Skeleton, SkeletonRows } from '../ui/skeleton.tsx';
import { AttemptView } from './attempt-view.tsx';
import { numberOf } from './can.ts';
import '../shell/page.css';

const NOT_FOUND = 404;

/**
 * One attempt at a task: its timeline, its feed, its changes and its details; or that there is none of this name, or
 * why it was not loaded.
 */
export function AttemptPage() {
  const { attempt: name } = useParams({ from: '/frame/a/$attempt' });
  const search = useSearch({ from: '/frame/a/$attempt' });
  const navigate = useNavigate({ from: '/a/$attempt' });
  const { data: attempt, error, refetch, isFetching } = useQuery(attemptQuery(name));

  useEffect(() => {
    if (attempt === undefined) return;
    const task = attempt.task.key ?? attempt.task.title;
    document.title = `Attempt ${numberOf(attempt.key)} · ${task} · Errand`;
  }, [attempt]);

  if (attempt !== undefined) {
    return (
      <main className="view att-page" id="content">
        <AttemptView
          key={attempt.attempt_id}
          attempt={attempt}
          search={search}
          onSearch={(change) => void navigate({ search: (was) => ({ ...was, ...change }), replace: true })}
        />
      </main>
    );
  }
  return (
    <main className="view att-page" id="content">
      <div className="page">
        {error === null ? (
          <Skeleton label="Attempt">
            <div className="sk-lines">
              <Block width={220} height={20} />
              <Block width={420} height={12} />
              <Block width={300} height={12} />
            </div>
            <SkeletonRows rows={8} />
          </Skeleton>
        ) : error instanceof CallError && error.status === NOT_FOUND ? (
          <Empty icon="question" title={`There is no attempt ${name}`}>
            It may have been deleted with its task, or it is in a project that you do not see.
          </Empty>
        ) : (
          <PageFailure what="The attempt could not be loaded" error={error} retrying={isFetching} onRetry={refetch} />
        )}
      </div>
    </main>
  );
}
