import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { activityQuery, type Entry, exportedEntries, exportedTrail } from '../api/activity.ts';
import { agentsQuery, peopleQuery } from '../api/agents.ts';
import { reasonOf } from '../api/client.ts';
import { meQuery } from '../api/me.ts';
import { PageFailure } from '../shell/page-failure.tsx';
import { download } from '../tasks/download.ts';
import { count, plural } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { Empty } from '../ui/empty.tsx';
import { FilterChip } from '../ui/filter-chip.tsx';
import { FilterField } from '../ui/filter-field.tsx';
import { Skeleton, SkeletonRows } from '../ui/skeleton.tsx';
import { Table } from '../ui/table.tsx';
import { useToasts } from '../ui/toast.tsx';
import { useRowKeys } from '../ui/use-row-keys.ts';
import { VirtualRows } from '../ui/virtual-rows.tsx';
import { ActivityRow } from './activity-row.tsx';
import { Chain } from './chain.tsx';
import { deedOf, deedsIn } from './deeds.ts';
import { type ActivityView, filterOf, matches, WHENS, type When } from './entries.ts';
import '../shell/page.css';
import './activity.css';

/** A screen full of entries, and how many are read at most to find them. */
const ENOUGH = 40;
const MAX_SOUGHT = 2_000;

const idOf = ({ seq }: Entry): string => String(seq);
// `WHENS` has no other keys.
const TIMES = Object.keys(WHENS) as readonly When[];

/**
 * The log of every change and every refusal: who, through which token, what, before and after; filtered, and exported
 * as a file.
 */
export function ActivityPage() {
  const view = useSearch({ from: '/frame/activity' });
  const navigate = useNavigate({ from: '/activity' });
  const { data, error, refetch, isFetching, fetchNextPage, hasNextPage } = useInfiniteQuery(
    activityQuery(filterOf(view, Date.now())),
  );
  const { data: me } = useQuery(meQuery);
  const { data: people } = useQuery(peopleQuery);
  const { data: agents } = useQuery(agentsQuery);
  const toasts = useToasts();
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const [opened, setOpened] = useState<number | null>(null);
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    document.title = 'Activity · Errand';
  }, []);

  const projects = (me?.projects ?? []).filter(({ key }) => key !== null);
  const project = projects.find(({ key }) => key === view.project);
  const isFiltered = Object.keys(view).length > 0;
  const save = useMutation({
    mutationFn: async () => {
      if (!isFiltered) return { name: 'errand-audit.jsonl', lines: await exportedTrail() };
      const lines = await exportedEntries(filterOf(view, Date.now()), (entry) =>
        matches(entry, { q: view.q, project }),
      );
      return { name: 'errand-activity.jsonl', lines };
    },
    onSuccess: ({ name, lines }) => download(name, 'application/x-ndjson', lines),
    onError: (failure) => toasts.show({ kind: 'refused', text: reasonOf(failure) }),
  });
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const all = data?.pages.flatMap(({ entries }) => entries) ?? [];
  const entries = all.filter((entry) => matches(entry, { q: view.q, project }));
  // The server knows neither words nor projects of entries: the page reads on until it has found enough.
  const isSought = view.q !== undefined || project !== undefined;
  const readsOn = isSought && entries.length < ENOUGH && all.length < MAX_SOUGHT && error === null;
  useEffect(() => {
    if (readsOn) more();
  }, [readsOn, more]);
  const toggle = useCallback(({ seq }: Entry) => setOpened((now) => (now === seq ? null : seq)), []);
  useRowKeys({ items: entries, idOf, element, onOpen: toggle, onClear: () => setOpened(null) });
  const show = (part: { readonly [Name in keyof ActivityView]: ActivityView[Name] | undefined }) => {
    const kept = Object.entries({ ...view, ...part }).filter(([, value]) => value !== undefined && value !== '');
    void navigate({ search: Object.fromEntries(kept), replace: true });
  };
  const who = [
    ...[...(people ?? [])].map(([id, name]) => ({
      id,
      label: name,
      onSelect: () => show({ user: id, agent: undefined }),
    })),
    ...(agents ?? []).map(({ agent_id, name }) => ({
      id: agent_id,
      label: name,
      note: 'agent',
      onSelect: () => show({ agent: agent_id, user: undefined }),
    })),
  ];
  const chosen = view.agent ?? view.user;
  return (
    <main className="view" id="content" ref={element}>
      <div className="page" ref={setScroller}>
        <header className="page-head">
          <h1>Activity</h1>
          {data === undefined ? null : <Chain />}
          <span className="grow" />
          {data === undefined ? null : (
            <Button
              icon="download"
              title={
                isFiltered
                  ? 'The events that match the filter, as lines of JSON'
                  : 'The whole log with its hashes, as lines of JSON'
              }
              busy={save.isPending && 'Reading…'}
              onClick={() => save.mutate()}
            >
              Export
            </Button>
          )}
        </header>
        {data === undefined ? (
          error === null ? (
            <Skeleton label="Activity">
              <SkeletonRows rows={12} />
            </Skeleton>
          ) : (
            <PageFailure what="The log could not be loaded" error={error} retrying={isFetching} onRetry={refetch} />
          )
        ) : (
          <>
            <div className="bar inpage top0">
              <FilterField value={view.q ?? ''} onChange={(q) => show({ q })} />
              <FilterChip
                name="Who"
                chosen={chosen && (who.find(({ id }) => id === chosen)?.label ?? chosen)}
                items={who}
                onClear={() => show({ user: undefined, agent: undefined })}
              />
              <FilterChip
                name="What"
                chosen={view.action && (deedOf(view.action) ?? view.action)}
                items={deedsIn(all.map(({ action }) => action)).map((deed) => ({
                  ...deed,
                  onSelect: () => show({ action: deed.id }),
                }))}
                onClear={() => show({ action: undefined })}
              />
              <FilterChip
                name="Project"
                chosen={project?.name}
                items={projects.map(({ key, name }) => ({
                  id: key ?? '',
                  label: name,
                  onSelect: () => show({ project: key ?? undefined }),
                }))}
                onClear={() => show({ project: undefined })}
              />
              <FilterChip
                name="When"
                chosen={view.when && WHENS[view.when].label}
                items={TIMES.map((id) => ({ id, label: WHENS[id].label, onSelect: () => show({ when: id }) }))}
                onClear={() => show({ when: undefined })}
              />
              <Chip on={view.refused === true} onClick={() => show({ refused: view.refused ? undefined : true })}>
                Refused
              </Chip>
              <span className="grow" />
              <span className="bar-note">
                {isSought && hasNextPage
                  ? `${count(entries.length)} of the newest ${count(all.length)} events`
                  : hasNextPage
                    ? `the newest ${count(entries.length)} events`
                    : plural(entries.length, 'event')}
                {view.when === 'today' ? ' today' : null}
              </span>
            </div>
            {entries.length === 0 ? (
              <Empty
                icon="activity"
                title={
                  readsOn && hasNextPage
                    ? 'Reading earlier events…'
                    : isFiltered
                      ? 'No event matches the filter.'
                      : 'Nothing has happened yet.'
                }
              >
                {isFiltered ? 'Remove a part of the filter.' : 'Every change, and every refused call, appears here.'}
              </Empty>
            ) : (
              <Table
                label="Activity"
                className="act"
                columns={[
                  { id: 'time', label: 'Time', width: 96 },
                  { id: 'who', label: 'Who', width: 168 },
                  { id: 'what', label: 'What' },
                  { id: 'change', label: 'Before and after', width: 300 },
                  { id: 'open', label: '', name: 'Open', width: 52 },
                ]}
              >
                <VirtualRows
                  items={entries}
                  idOf={idOf}
                  scroller={scroller}
                  height={46}
                  columns={5}
                  onEnd={more}
                  draw={(entry) => (
                    <ActivityRow key={entry.seq} entry={entry} open={opened === entry.seq} onToggle={toggle} />
                  )}
                />
              </Table>
            )}
            {hasNextPage ? (
              <p className="more">
                <Button kind="plain" busy={isFetching && 'Reading…'} onClick={more}>
                  Show earlier events
                </Button>
              </p>
            ) : null}
          </>
        )}
      </div>
    </main>
  );
}
