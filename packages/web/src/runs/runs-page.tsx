import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type Run, runsQuery } from '../api/runs.ts';
import { PageFailure } from '../shell/page-failure.tsx';
import { count, namesIn, plural, RUN_WORDS } from '../text/words.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Choice } from '../ui/choice.tsx';
import { Empty } from '../ui/empty.tsx';
import { FilterChip } from '../ui/filter-chip.tsx';
import { FilterField } from '../ui/filter-field.tsx';
import { Skeleton, SkeletonRows } from '../ui/skeleton.tsx';
import { Table } from '../ui/table.tsx';
import { useRowKeys } from '../ui/use-row-keys.ts';
import { VirtualRows } from '../ui/virtual-rows.tsx';
import { choicesOf, matches, type RunsView } from './filter.ts';
import { RANGES } from './range.ts';
import { RunRow } from './run-row.tsx';
import { RunsBulkBar } from './runs-bulk-bar.tsx';
import { RunsChart } from './runs-chart.tsx';
import '../shell/page.css';
import './runs.css';

/** More runs than these are read only when somebody scrolls to their end. */
const MAX_READ = 1_000;
const NONE: ReadonlySet<string> = new Set();
const idOf = ({ execution_id }: Run): string => execution_id;
const LOOKS = namesIn(RUN_WORDS);

/**
 * All runs across projects, of the last 24 hours at first: filtered by words, status, agent and project, selected to
 * stop or retry.
 */
export function RunsPage() {
  const view = useSearch({ from: '/frame/runs' });
  const navigate = useNavigate({ from: '/runs' });
  const range = view.range ?? '24h';
  const { data, error, refetch, isFetching, fetchNextPage, hasNextPage } = useInfiniteQuery(
    runsQuery(range, RANGES[range].span),
  );
  const [selected, setSelected] = useState(NONE);
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const element = useRef<HTMLElement>(null);

  useEffect(() => {
    document.title = 'Runs · Errand';
  }, []);
  const all = data?.pages.flatMap(({ runs }) => runs) ?? [];
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  useEffect(() => {
    if (all.length < MAX_READ) more();
  }, [all.length, more]);

  const runs = all.filter((run) => matches(run, view));
  const open = useCallback(
    (run: Run) => {
      const page = run.attempt_id === null ? `/t/${run.task_key}` : `/a/${run.attempt_key ?? run.attempt_id}`;
      if (run.attempt_id !== null || run.task_key !== null) void navigate({ to: page });
    },
    [navigate],
  );
  const toggle = useCallback(
    (run: Run) =>
      setSelected((now) => {
        const next = new Set(now);
        if (!next.delete(idOf(run))) next.add(idOf(run));
        return next;
      }),
    [],
  );
  const clear = () => setSelected(NONE);
  useRowKeys({ items: runs, idOf, element, onOpen: open, onToggle: toggle, onClear: clear });
  const show = (part: { readonly [Name in keyof RunsView]: RunsView[Name] | undefined }) => {
    const next = Object.entries({ ...view, ...part }).filter(([, value]) => value !== undefined && value !== '');
    void navigate({ search: Object.fromEntries(next), replace: true });
  };

  const chosen = runs.filter((run) => selected.has(idOf(run)));
  const picked = chosen.length === 0 ? false : chosen.length === runs.length ? true : 'some';
  const { agents, projects } = choicesOf(all);
  return (
    <main className="view" id="content" ref={element}>
      <div className="page runs-page" ref={setScroller}>
        <header className="page-head">
          <h1>Runs</h1>
          <span className="grow" />
          <Choice
            label="Time"
            value={range}
            options={namesIn(RANGES).map((value) => ({ value, label: RANGES[value].label }))}
            onChange={(value) => show({ range: value })}
          />
        </header>
        {data === undefined ? (
          error === null ? (
            <Skeleton label="Runs">
              <SkeletonRows rows={12} />
            </Skeleton>
          ) : (
            <PageFailure what="The runs could not be loaded" error={error} retrying={isFetching} onRetry={refetch} />
          )
        ) : (
          <>
            <RunsChart runs={runs} range={range} />
            <div className="bar inpage">
              <FilterField value={view.q ?? ''} onChange={(q) => show({ q })} />
              <FilterChip
                name="Status"
                chosen={view.status && RUN_WORDS[view.status]}
                items={LOOKS.map((id) => ({ id, label: RUN_WORDS[id], onSelect: () => show({ status: id }) }))}
                onClear={() => show({ status: undefined })}
              />
              <FilterChip
                name="Agent"
                chosen={view.agent && (agents.find(({ id }) => id === view.agent)?.name ?? view.agent)}
                items={agents.map(({ id, name }) => ({ id, label: name, onSelect: () => show({ agent: id }) }))}
                onClear={() => show({ agent: undefined })}
              />
              <FilterChip
                name="Project"
                chosen={view.project}
                items={projects.map((id) => ({ id, label: id, onSelect: () => show({ project: id }) }))}
                onClear={() => show({ project: undefined })}
              />
              <span className="grow" />
              <span className="bar-note">
                {hasNextPage ? `the newest ${count(runs.length)} runs` : plural(runs.length, 'run')}
              </span>
            </div>
            {runs.length === 0 ? (
              <Empty icon="runs" title={all.length === 0 ? 'No agent ran in this time.' : 'No run matches the filter.'}>
                {all.length === 0
                  ? 'Start an attempt on a task, or look further back.'
                  : 'Remove a part of the filter.'}
              </Empty>
            ) : (
              <Table
                label="Runs"
                className="runs"
                columns={[
                  {
                    id: 'pick',
                    label: (
                      <Checkbox
                        checked={picked}
                        label="Select all"
                        onChange={(on) => setSelected(on ? new Set(runs.map(idOf)) : NONE)}
                      />
                    ),
                    width: 40,
                  },
                  { id: 'status', label: 'Status', width: 124 },
                  { id: 'task', label: 'Task' },
                  { id: 'agent', label: 'Agent', width: 112 },
                  { id: 'steps', label: 'Steps', width: 184 },
                  { id: 'started', label: 'Started', width: 84, right: true },
                  { id: 'took', label: 'Took', width: 84, right: true },
                  { id: 'changes', label: 'Changes', width: 116, right: true },
                ]}
              >
                <VirtualRows
                  items={runs}
                  idOf={idOf}
                  scroller={scroller}
                  height={36}
                  columns={8}
                  onEnd={more}
                  draw={(run) => (
                    <RunRow
                      key={idOf(run)}
                      run={run}
                      selected={selected.has(idOf(run))}
                      onOpen={open}
                      onToggle={toggle}
                    />
                  )}
                />
              </Table>
            )}
          </>
        )}
      </div>
      {chosen.length === 0 ? null : <RunsBulkBar runs={runs} chosen={chosen} onSelect={setSelected} />}
    </main>
  );
}
