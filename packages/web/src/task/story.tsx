import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { reasonOf } from '../api/client.ts';
import { meQuery } from '../api/me.ts';
import { type StoryRow, storyQuery } from '../api/task.ts';
import { barOf } from '../board/card-looks.ts';
import { markdownOf } from '../text/html-markdown.ts';
import { LazyMarkdown } from '../text/lazy-markdown.tsx';
import { AgentTile } from '../ui/agent-tile.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorFrame } from '../ui/error-frame.tsx';
import { PersonDot } from '../ui/person-dot.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { StatusIcon } from '../ui/status-icon.tsx';
import { StepBar } from '../ui/step-bar.tsx';
import { ATTEMPT_LOOKS, attemptNumber, attemptPath } from './attempt-looks.ts';
import { answerOf, deedOf, type StoryEntry, storyOf } from './story-model.ts';
import type { TaskView } from './use-task.ts';
import './story.css';
import '../ui/block.css';

interface StoryProps {
  readonly view: TaskView;
}

/** Scrolls to a comment of the person who looks as it arrives: the box that sent it stands over another part. */
function useOwnComment(task: string, rows: readonly StoryRow[] | undefined) {
  const list = useRef<HTMLOListElement>(null);
  const known = useRef<{ readonly task: string; readonly id: string | undefined } | null>(null);
  const me = useQuery(meQuery).data?.user.user_id;
  const newest = rows?.find(({ kind }) => kind === 'comment');
  const id = newest?.id;
  const isOwn = me !== undefined && newest?.by?.id === me;
  const isRead = rows !== undefined;
  useEffect(() => {
    if (!isRead) return;
    const arrived = known.current?.task === task && known.current.id !== id;
    known.current = { task, id };
    if (arrived && isOwn)
      [...(list.current?.querySelectorAll('.said') ?? [])].at(-1)?.scrollIntoView({ block: 'center' });
  }, [task, id, isOwn, isRead]);
  return list;
}

/** The activity of a task: comments, attempts, questions with their answers and changes in one stream, older ones on demand. */
export function Story({ view }: StoryProps) {
  const story = useInfiniteQuery({ ...storyQuery(view.seen.task_id), enabled: !view.isGone });
  const entries = storyOf(story.data?.pages.flatMap((page) => page.entries) ?? []);
  const list = useOwnComment(view.seen.task_id, story.data?.pages[0]?.entries);
  if (story.error !== null && story.data === undefined && !view.isGone) {
    return (
      <section className="block">
        <ErrorFrame
          what="The activity could not be loaded"
          why={reasonOf(story.error)}
          retrying={story.isFetching}
          onRetry={() => void story.refetch()}
        />
      </section>
    );
  }
  return (
    <section className="block" aria-label="Activity">
      <h2>Activity</h2>
      {story.hasNextPage ? (
        <Button
          kind="plain"
          size="small"
          busy={story.isFetchingNextPage ? 'Loading…' : false}
          onClick={() => void story.fetchNextPage()}
        >
          Show older
        </Button>
      ) : null}
      <ol className="stream" ref={list}>
        {entries.map((entry) => (
          <Entry key={`${entry.kind} ${entry.id}`} entry={entry} view={view} />
        ))}
      </ol>
    </section>
  );
}

function Who({ by, size }: { readonly by: StoryRow['by']; readonly size: 16 | 24 }) {
  const name = by?.name ?? 'Someone';
  return by?.kind === 'agent' ? (
    <AgentTile id={by.id} name={name} size={size} silent />
  ) : (
    <PersonDot name={name} size={size} silent />
  );
}

interface AskedProps {
  readonly entry: StoryEntry;
  readonly question: NonNullable<StoryRow['question']>;
}

/** A question with what became of it. */
function Asked({ entry: { at, by, id }, question }: AskedProps) {
  const { executor, text, details, answered_by, answered_at } = question;
  const asker = executor === null ? by : ({ kind: 'agent', id: executor, name: executor } as const);
  return (
    <li className="said asked" data-testid={`asked-${id}`}>
      <Who by={asker} size={24} />
      <div>
        <header>
          <b>{asker?.name ?? 'Someone'}</b> {question.kind === 'permission' ? 'asked for approval' : 'asked'}
          <RelativeTime at={at} as="sentence" />
        </header>
        <p>{text}</p>
        {details === null ? null : <code>{details}</code>}
        <footer>
          <p>
            {answered_by === null ? null : <b>{answered_by.name}: </b>}
            {answerOf(question)}
          </p>
          {answered_at === null ? null : <RelativeTime at={answered_at} as="sentence" />}
        </footer>
      </div>
    </li>
  );
}

function Entry({ entry, view }: StoryProps & { readonly entry: StoryEntry }) {
  const { kind, at, by, attempt, question } = entry;
  const name = by?.name ?? 'Someone';
  if (kind === 'comment') {
    return (
      <li className="said">
        <Who by={by} size={24} />
        <div>
          <header>
            <b>{name}</b>
            <RelativeTime at={at} as="sentence" />
          </header>
          <LazyMarkdown source={markdownOf(entry.comment_html ?? '')} />
        </div>
      </li>
    );
  }
  if (question !== undefined) return <Asked entry={entry} question={question} />;
  if (attempt === undefined) {
    return (
      <li className="ev">
        <Who by={by} size={16} />
        <p>
          <b>{name}</b> {deedOf(entry.action ?? '')}
          {entry.times > 1 ? <span className="faint"> · {entry.times} times</span> : null}
        </p>
        <RelativeTime at={at} as="sentence" />
      </li>
    );
  }
  const [look, word] = ATTEMPT_LOOKS[attempt.state];
  const isNewest = attempt.attempt_id === view.seen.task.latest_attempt_id;
  const bar = isNewest && view.card !== null ? barOf(view.card) : null;
  return (
    <li className="ev run">
      <StatusIcon of="run" status={look} large />
      <p title={attempt.reason ?? undefined}>
        <Link to={attemptPath(attempt)}>
          <b>Attempt {attemptNumber(attempt.key)}</b>
        </Link>{' '}
        by {attempt.latest_session_executor ?? 'an agent'}, started by {name}: {word.toLowerCase()}
        {attempt.reason === null ? '' : ` · ${attempt.reason}`}
      </p>
      {bar === null ? null : <StepBar steps={bar} />}
      <RelativeTime at={at} as="sentence" />
    </li>
  );
}
