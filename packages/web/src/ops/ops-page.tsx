import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { meQuery } from '../api/me.ts';
import { type Operations, operationsQuery } from '../api/operations.ts';
import { Loaded } from '../settings/section.tsx';
import { span } from '../text/time.ts';
import { Choice } from '../ui/choice.tsx';
import { NotAllowed } from '../ui/not-allowed.tsx';
import { useClock } from '../ui/use-clock.ts';
import { Chart } from './chart.tsx';
import { rateOf, spansSince, tookOf } from './figures.ts';
import { Clients, Refused, ToolTable, Vitals } from './ops-parts.tsx';
import { OPS_RANGES, type OpsRange } from './range.ts';
import { vitalsOf } from './vitals.ts';
import './charts.css';
import './ops.css';

// The cast: `Object.keys` forgets which keys there are.
const RANGES = (Object.keys(OPS_RANGES) as OpsRange[]).map((value) => ({ value, label: OPS_RANGES[value].label }));

interface FiguresProps {
  readonly operations: Operations;
  /** When they were read. */
  readonly at: number;
  readonly range: OpsRange;
}

function Figures({ operations, at, range }: FiguresProps) {
  const { queued, places } = operations.queue;
  // Before the server began nothing was measured: the charts are empty there.
  const spans = spansSince(operations);
  const from = Date.parse(operations.spans?.[0]?.at ?? operations.since);
  const times = spans.map((_, part) => Date.parse(spans[part + 1]?.at ?? '') || at);
  const rate = rateOf(spans, at);
  const took = (of: (span: (typeof spans)[number]) => number) =>
    spans.map((part) => (part.calls === 0 ? null : of(part)));
  const over = { from, to: at, times };
  return (
    <>
      <Vitals vitals={vitalsOf(operations, at)} />
      <section className="charts" aria-label={`The last ${OPS_RANGES[range].words}`}>
        <Chart
          {...over}
          title={`Calls per ${rate.name}`}
          lines={[
            { name: 'MCP', look: 'c-a', values: rate.rates(({ mcp }) => mcp) },
            { name: 'REST', look: 'c-b', values: rate.rates(({ calls, mcp }) => calls - mcp) },
          ]}
        />
        <Chart
          {...over}
          title="Latency of tools"
          shown={tookOf}
          joined
          lines={[
            { name: 'p99', look: 'c-c', values: took(({ p99_ms }) => p99_ms) },
            { name: 'p50', look: 'c-e', values: took(({ p50_ms }) => p50_ms) },
          ]}
        />
        <Chart
          {...over}
          title="Runs waiting"
          stepped
          limit={places === 0 ? undefined : { value: places, label: `alarm at ${places}` }}
          lines={[{ name: 'Waiting', look: 'c-d', values: [...spans.slice(0, -1).map((part) => part.queued), queued] }]}
        />
      </section>
      <section className="ops-cols" aria-label="Since the server began">
        <ToolTable operations={operations} />
        <Refused operations={operations} />
        <Clients operations={operations} />
      </section>
    </>
  );
}

function Opened() {
  const { range = '1h' } = useSearch({ from: '/frame/ops' });
  const navigate = useNavigate({ from: '/ops' });
  const query = useQuery(operationsQuery(OPS_RANGES[range].minutes));
  const operations = query.data?.operations;
  const up = useClock((now) => (operations === undefined ? '' : span(now - Date.parse(operations.since))), 'minute');
  return (
    <>
      <header className="page-head">
        <h1>Operations</h1>
        {operations === undefined ? null : (
          <span className="faint num quiet-note">
            Errand {operations.version}, up {up}
          </span>
        )}
        <span className="grow" />
        <a className="btn plain" href="/metrics" target="_blank" rel="noreferrer">
          /metrics
        </a>
        <a className="btn plain" href="/readyz" target="_blank" rel="noreferrer">
          Health check
        </a>
        <Choice
          label="Time"
          value={range}
          options={RANGES}
          onChange={(value) => void navigate({ search: value === '1h' ? {} : { range: value }, replace: true })}
        />
      </header>
      <Loaded query={query} what="The figures of the server">
        {({ operations, at }) => <Figures operations={operations} at={at} range={range} />}
      </Loaded>
    </>
  );
}

/**
 * How the server runs, for admins only: vital signs, calls, their latency, waiting runs, tools, refusals and clients.
 * Others read the command that makes them an admin.
 */
export function OpsPage() {
  const query = useQuery(meQuery);
  useEffect(() => {
    document.title = 'Operations · Errand';
  }, []);
  return (
    <main className="view" id="content">
      <div className="page ops">
        <Loaded query={query} what="Your rights">
          {(me) =>
            me.scopes.includes('admin') ? (
              <Opened />
            ) : (
              <NotAllowed
                title="Operations is for admins"
                request={`Please make ${me.user.name} an admin of ${me.workspace.name}: errand user update "${me.user.name}" --role admin`}
              >
                You are a member of {me.workspace.name}: this page needs the scope admin.
              </NotAllowed>
            )
          }
        </Loaded>
      </div>
    </main>
  );
}
