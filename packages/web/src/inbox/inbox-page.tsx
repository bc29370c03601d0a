import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { type Answer, answerBy } from '../api/answers.ts';
import { type InboxKind, idOf, inboxQuery, type InboxRow as Row, total } from '../api/inbox.ts';
import { PageFailure } from '../shell/page-failure.tsx';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { lazily } from '../ui/lazily.ts';
import { Skeleton, SkeletonRows } from '../ui/skeleton.tsx';
import { BulkBar } from '../ui/table.tsx';
import { type Act, useActs } from './acts.ts';
import { InboxDetail } from './inbox-detail.tsx';
import { InboxEmpty } from './inbox-empty.tsx';
import { InboxRow } from './inbox-row.tsx';
import { InboxRows } from './inbox-rows.tsx';
import { useInboxKeys } from './keys.ts';
import { LOOKS, offered } from './kinds.ts';
import { NotifyButton } from './notify-button.tsx';
import '../shell/page.css';
import './inbox.css';

const InboxMerge = lazily(() => import('./inbox-merge.tsx').then(({ InboxMerge }) => InboxMerge));

const NONE: ReadonlySet<string> = new Set();
/** A filtered list shorter than this reads on, while there is more. */
const ENOUGH = 40;

/**
 * What needs a person, newest or oldest first, with the answers in place. After an answer the next entry opens; several are
 * approved or denied at once.
 */
export function InboxPage() {
  const { kind, order, row: opened } = useSearch({ from: '/frame/inbox' });
  const navigate = useNavigate({ from: '/inbox' });
  const { data, error, refetch, isFetching, fetchNextPage, hasNextPage } = useInfiniteQuery(inboxQuery);
  const { act, isBusy } = useActs();
  const [selected, setSelected] = useState(NONE);
  // Not in the entry: it leaves the list before the merge has been answered.
  const [merging, setMerging] = useState<string | null>(null);
  const element = useRef<HTMLElement>(null);
  const place = useRef(0);

  useEffect(() => {
    document.title = 'Inbox · Errand';
  }, []);

  const all = data?.pages.flatMap(({ rows }) => rows) ?? [];
  const isOldestFirst = order === 'oldest';
  const known = kind === undefined ? all : all.filter((row) => row.kind === kind);
  const rows = isOldestFirst ? known.toReversed() : known;
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  useEffect(() => {
    // The oldest is on the last page.
    if (isOldestFirst || rows.length < ENOUGH) more();
  }, [isOldestFirst, rows.length, more]);

  const found = rows.findIndex((row) => idOf(row) === opened);
  // What was answered is gone: the one that has its place now comes next.
  const at = found === -1 ? Math.min(place.current, rows.length - 1) : found;
  const current = rows[at];
  useEffect(() => {
    place.current = Math.max(0, at);
  }, [at]);

  const open = useCallback(
    (row: Row) => void navigate({ search: (now) => ({ ...now, row: idOf(row) }), replace: true }),
    [navigate],
  );
  const filter = (wanted: InboxKind | undefined) =>
    void navigate({
      search: ({ order }) => ({ ...(order && { order }), ...(wanted !== undefined && { kind: wanted }) }),
      replace: true,
    });
  const turn = () =>
    void navigate({
      search: ({ kind }) => ({ ...(kind && { kind }), ...(!isOldestFirst && { order: 'oldest' as const }) }),
      replace: true,
    });
  const toggle = useCallback(
    (row: Row) =>
      setSelected((now) => {
        const next = new Set(now);
        if (!next.delete(idOf(row))) next.add(idOf(row));
        return next;
      }),
    [],
  );
  const answer = useCallback((row: Row, given: Answer) => act({ does: 'answer', row, answer: given }), [act]);
  const chosen = rows.filter((row) => selected.has(idOf(row)));
  const answerAll = (key: 'a' | 'd') => {
    act(
      ...chosen.flatMap((row): Act[] => {
        const given = answerBy(row, key);
        return given === undefined ? [] : [{ does: 'answer', row, answer: given }];
      }),
    );
    setSelected(NONE);
  };
  const canAnswer = (key: 'a' | 'd'): number => chosen.filter((row) => answerBy(row, key) !== undefined).length;
  useInboxKeys({ rows, current, element, chosen, onOpen: open, onToggle: toggle, onSelect: setSelected, answerAll });

  const counts = data?.pages[0]?.counts;
  if (counts === undefined) {
    return (
      <main className="view" id="content">
        <div className="page">
          <header className="page-head">
            <h1>Inbox</h1>
          </header>
          {error === null ? (
            <Skeleton label="Inbox">
              <SkeletonRows rows={8} />
            </Skeleton>
          ) : (
            <PageFailure what="The inbox could not be loaded" error={error} retrying={isFetching} onRetry={refetch} />
          )}
        </div>
      </main>
    );
  }
  return (
    <main className="view" id="content" ref={element}>
      <div className={opened === undefined || current === undefined ? 'inbox' : 'inbox opened'}>
        <section className="ib-list" aria-label="What needs you">
          <header className="ib-head">
            <h1>Inbox</h1>
            <span className="grow" />
            <Button
              kind="plain"
              icon="sort"
              title={isOldestFirst ? 'Show what came last first' : 'Show what has waited longest first'}
              onClick={turn}
            >
              {isOldestFirst ? 'Oldest' : 'Newest'}
            </Button>
            <NotifyButton />
          </header>
          <div className="ib-kinds">
            <Chip
              className={kind === undefined ? 'on' : ''}
              aria-pressed={kind === undefined}
              count={total(counts)}
              onClick={() => filter(undefined)}
            >
              All
            </Chip>
            {offered(counts, kind).map((each) => (
              <Chip
                key={each}
                className={kind === each ? 'on' : ''}
                aria-pressed={kind === each}
                count={counts[each]}
                onClick={() => filter(each)}
              >
                {LOOKS[each].many}
              </Chip>
            ))}
          </div>
          {rows.length === 0 ? (
            <InboxEmpty />
          ) : (
            <InboxRows
              rows={rows}
              onEnd={more}
              draw={(row) => (
                <InboxRow
                  key={idOf(row)}
                  row={row}
                  current={row === current}
                  selected={selected.has(idOf(row))}
                  onOpen={open}
                  onSelect={toggle}
                  onAnswer={answer}
                />
              )}
            />
          )}
          <footer className="ib-foot keys">
            {(['j k', 'x', 'a', 'd', 'r'] as const).map((keys, each) => (
              <span key={keys}>
                {keys.split(' ').map((key) => (
                  <Kbd key={key} keys={key} />
                ))}
                {['move', 'select', 'approve', 'deny', 'reply'][each]}
              </span>
            ))}
          </footer>
        </section>
        {current === undefined ? null : (
          <InboxDetail
            row={current}
            busy={isBusy}
            onAct={act}
            onMerge={() => setMerging(current.attempt_id)}
            onBack={() => void navigate({ search: ({ row: _, ...now }) => now })}
          />
        )}
      </div>
      <Suspense>
        {merging === null ? null : <InboxMerge attemptId={merging} onClose={() => setMerging(null)} />}
      </Suspense>
      {chosen.length === 0 ? null : (
        <BulkBar
          actions={
            <>
              <Button size="small" keys="a" disabled={canAnswer('a') === 0} onClick={() => answerAll('a')}>
                Approve {canAnswer('a')}
              </Button>
              <Button size="small" keys="d" disabled={canAnswer('d') === 0} onClick={() => answerAll('d')}>
                Deny {canAnswer('d')}
              </Button>
            </>
          }
        >
          {chosen.length} selected
        </BulkBar>
      )}
    </main>
  );
}
