import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { meQuery } from '../api/me.ts';
import { type Operations, operationsQuery } from '../api/operations.ts';
import { Loaded } from '../settings/section.tsx';
import { span } from '../text/time.ts';
import { Choice } from '../ui/choice.tsx';
import { NotAllowed } from '../ui/not-allowed.tsx';
import { useClock } from '../ui/use-clock.ts';
import { Chart } from './chart.tsx';
import { LEAST_MS, perMinute, type Sample, sampleOf, tookOf, vitalsOf, withSample } from './figures.ts';
import { Clients, Refused, ToolTable, Vitals } from './ops-parts.tsx';
import { OPS_RANGES, type OpsRange } from './range.ts';
import './charts.css';
import './ops.css';

/** The samples since the page was opened: the server keeps no history of runs. */
function useSamples(operations: Operations, at: number): readonly Sample[] {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  useEffect(() => setSamples((now) => withSample(now, sampleOf(operations, at))), [operations, at]);
  return samples;
}

// The cast: `Object.keys` forgets which keys there are.
const RANGES = (Object.keys(OPS_RANGES) as OpsRange[]).map((value) => ({ value, label: OPS_RANGES[value].label }));

interface FiguresProps {
  readonly operations: Operations;
  /** When they were read. */
  readonly at: number;
  readonly range: OpsRange;
}

function Figures({ operations, at, range }: FiguresProps) {
  const samples = useSamples(operations, at);
  const from = Math.min(samples[0]?.at ?? at, at - LEAST_MS);
  const times = samples.map((sample) => sample.at);
  const spans = operations.spans ?? [];
  const begun = Date.parse(spans[0]?.at ?? operations.since);
  const of = (field: 'running' | 'queued') => samples.map((sample) => sample[field]);
  return (
    <>
      <Vitals vitals={vitalsOf(operations, at)} />
      <section
        className="charts"
        aria-label={`Calls of the last ${OPS_RANGES[range].label}, runs since this page was opened`}
      >
        <Chart
          title="Calls per minute"
          from={begun}
          to={at}
          lines={[
            { name: 'Calls', look: 'c-a', values: perMinute(spans, 'calls', at) },
            { name: 'Failed', look: 'c-b', values: perMinute(spans, 'failed', at) },
          ]}
        />
        <Chart
          title="Slowest calls"
          from={begun}
          to={at}
          shown={tookOf}
          lines={[{ name: 'p99', look: 'c-c', values: spans.map(({ p99_ms }) => p99_ms) }]}
        />
        <Chart
          title="Runs"
          from={from}
          to={at}
          times={times}
          lines={[
            { name: 'Waiting', look: 'c-d', values: of('queued') },
            { name: 'Running', look: 'c-b', values: of('running') },
          ]}
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
  const { range = '15m' } = useSearch({ from: '/frame/ops' });
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
          onChange={(value) => void navigate({ search: value === '15m' ? {} : { range: value }, replace: true })}
        />
      </header>
      <Loaded query={query} what="The figures of the server">
        {({ operations, at }) => <Figures operations={operations} at={at} range={range} />}
      </Loaded>
    </>
  );
}

/**
 * How the server runs, for admins only: vital signs, calls a minute, slowest calls, runs, tools, refusals and clients.
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
