import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { useFeed } from '../api/attempt-feed.ts';
import { type Attempt, claimQuery, runQuery, runsQuery } from '../api/attempts.ts';
import { meQuery, projectKeyOf, scopesFor } from '../api/me.ts';
import { useSteps } from '../api/steps.ts';
import { Crumbs } from '../shell/crumbs.tsx';
import { rememberProject } from '../shell/project.ts';
import { clockSeconds, took } from '../text/time.ts';
import { count, RUN_WORDS, runLook } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { Empty, Walker } from '../ui/empty.tsx';
import { KeyLabel } from '../ui/key-label.tsx';
import { lazily } from '../ui/lazily.ts';
import { Menu } from '../ui/menu.tsx';
import { Elapsed } from '../ui/relative-time.tsx';
import { StatusIcon } from '../ui/status-icon.tsx';
import { AttemptActions, type Opened } from './attempt-actions.tsx';
import { AttemptHead, agentOf } from './attempt-head.tsx';
import { type AttemptSearch, firstTab } from './attempt-search.ts';
import { numberOf } from './can.ts';
import { useAnswers } from './feed/use-answers.ts';
import { Notices } from './notices.tsx';
import { Timeline } from './timeline/timeline.tsx';

const FeedView = lazily(() => import('./feed/feed-view.tsx').then(({ FeedView }) => FeedView));
const Changes = lazily(() => import('./changes/changes.tsx').then(({ Changes }) => Changes));
const Details = lazily(() => import('./details.tsx').then(({ Details }) => Details));

/** Pages of the feed that the lanes of the timeline read by themselves. */
const MAX_LANE_PAGES = 25;

interface AttemptViewProps {
  readonly attempt: Attempt;
  readonly search: AttemptSearch;
  readonly onSearch: (change: AttemptSearch) => void;
}

/** An attempt that is loaded: its head, what a person should know, and the chosen part. */
export function AttemptView({ attempt, search, onSearch }: AttemptViewProps) {
  const [opened, setOpened] = useState<Opened>(null);
  const { data: runs = [] } = useQuery(runsQuery(attempt));
  const { data: claimed } = useQuery(claimQuery(attempt));
  const latest = attempt.run?.execution_id ?? null;
  const shown = search.run ?? latest;
  const { data: run } = useQuery({ ...runQuery(shown ?? ''), enabled: shown !== null });
  const { data: read } = useSteps(shown);
  const steps = read ?? [];
  const feed = useFeed(attempt.attempt_id, [
    ...new Set([...runs.map(({ execution_id }) => execution_id), latest ?? '']),
  ]);
  const card = claimed?.card ?? null;
  const { data: me } = useQuery(meQuery);
  const project = projectKeyOf(attempt.task.key);
  const scopes = scopesFor(me, attempt.task.key);
  const worker = agentOf(attempt, card);
  const agent = worker.name;
  const [first, setFirst] = useState<'timeline' | 'feed' | null>(null);
  const wanted = firstTab({
    steps: read,
    feed: feed.data && feed.entries,
    hasEnded: run !== undefined && run.ended_at !== null,
  });
  // Chosen once: a page that changes its part by itself takes away what a person reads.
  if (first === null && wanted !== null) setFirst(wanted);
  const isOfTimeline = search.step !== undefined || search.run !== undefined;
  const tab = search.tab ?? (isOfTimeline ? 'timeline' : (first ?? 'timeline'));

  useEffect(() => {
    if (project !== undefined) rememberProject(project);
  }, [project]);

  const { hasNextPage, isFetching, fetchNextPage } = feed;
  const pages = feed.data?.pages.length ?? 0;
  useEffect(() => {
    if (tab === 'timeline' && hasNextPage && !isFetching && pages < MAX_LANE_PAGES) void fetchNextPage();
  }, [tab, hasNextPage, isFetching, pages, fetchNextPage]);

  const entries = feed.entries;
  const answers = useAnswers(attempt.task.task_id, entries);
  const ofRun = entries.filter(({ execution_id }) => execution_id === shown);
  const hasBegun = run !== undefined && run.status !== 'queued';
  const isWaiting = run !== undefined && steps.length === 0 && ofRun.every(({ kind }) => kind === 'status');
  const followUp = () => setOpened('follow-up');
  return (
    <>
      <Crumbs
        to={`/t/${attempt.task.key ?? attempt.task.task_id}`}
        place={
          <>
            {attempt.task.key === null ? null : <KeyLabel value={attempt.task.key} />} {attempt.task.title}
          </>
        }
        here={`Attempt ${numberOf(attempt.key)}`}
      />
      <AttemptHead
        attempt={attempt}
        run={run}
        card={card}
        tab={tab}
        feed={entries.length === 0 ? '' : `${count(entries.length)}${hasNextPage ? '+' : ''}`}
        actions={<AttemptActions attempt={attempt} agent={agent} scopes={scopes} opened={opened} onOpen={setOpened} />}
      />
      <Notices attempt={attempt} run={run} card={card} canAnswer={scopes.includes('board:run')} />
      <Suspense>
        {tab === 'timeline' ? (
          run === undefined || isWaiting ? (
            <div className="att-wait">
              <Empty
                icon={<Walker big />}
                title={
                  <>
                    Waiting for the first step{' '}
                    {run === undefined || !hasBegun ? null : (
                      <Elapsed className="faint" from={run.started_at} to={run.ended_at ?? undefined} />
                    )}
                  </>
                }
              >
                {hasBegun ? (
                  <p>
                    {agent} has started on <code>{attempt.workspace_branch}</code>. Steps appear as they are reported.
                  </p>
                ) : (
                  <p>No run has begun.</p>
                )}
              </Empty>
            </div>
          ) : (
            <Timeline
              key={run.execution_id}
              run={run}
              steps={steps}
              plan={shown === latest ? (attempt.run?.plan ?? []) : []}
              entries={ofRun}
              isWhole={!hasNextPage}
              senders={feed.senders}
              answers={answers}
              isAsking={attempt.pending_approvals > 0}
              chosen={search.step}
              onChoose={(step) => onSearch({ step })}
              onFollowUp={followUp}
              agent={worker}
            >
              {runs.length < 2 ? null : (
                <Menu
                  label="Runs"
                  trigger={
                    <Button size="small">
                      Run {runs.findIndex(({ execution_id }) => execution_id === shown) + 1} of {runs.length}
                    </Button>
                  }
                  items={runs.map(({ execution_id, status, started_at, ended_at }, at) => ({
                    id: execution_id,
                    label: `Run ${at + 1}, ${clockSeconds(started_at)}`,
                    icon: <StatusIcon of="run" status={runLook(status)} />,
                    note:
                      ended_at === null
                        ? RUN_WORDS[runLook(status)]
                        : `${RUN_WORDS[runLook(status)]}, took ${took(Date.parse(ended_at) - Date.parse(started_at))}`,
                    current: execution_id === shown,
                    onSelect: () =>
                      onSearch({
                        tab: 'timeline',
                        run: execution_id === latest ? undefined : execution_id,
                        step: undefined,
                      }),
                  }))}
                />
              )}
            </Timeline>
          )
        ) : null}
        {tab === 'feed' ? (
          <FeedView
            attempt={attempt}
            entries={entries}
            prompts={feed.prompts}
            senders={feed.senders}
            isWhole={!hasNextPage}
            onOlder={hasNextPage && !isFetching ? () => void fetchNextPage() : null}
            filter={search.kind ?? 'all'}
            onFilter={(kind) => onSearch({ kind: kind === 'all' ? undefined : kind })}
          />
        ) : null}
        {tab === 'changes' ? (
          <Changes attempt={attempt} agent={agent} entries={entries} search={search} onSearch={onSearch} />
        ) : null}
        {tab === 'details' ? (
          <Details attempt={attempt} run={run} card={card} steps={steps} entries={entries} isWhole={!hasNextPage} />
        ) : null}
      </Suspense>
    </>
  );
}
