const BUCKETS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10_000] as const;

interface Series {
  readonly tool: string;
  readonly outcome: string;
  count: number;
  sum_ms: number;
  readonly buckets: number[];
}

interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly read: () => number;
}

export interface Metrics {
  readonly call: (tool: string, outcome: string, latency_ms: number) => void;
  /** A value that is read at each scrape. */
  readonly gauge: (gauge: Gauge) => void;
  /** In the text format of Prometheus. */
  readonly text: () => string;
}

const newSeries = (tool: string, outcome: string): Series => ({
  tool,
  outcome,
  count: 0,
  sum_ms: 0,
  buckets: BUCKETS_MS.map(() => 0),
});

const seconds = (ms: number): string => String(ms / 1000);

function durationLines({ tool, outcome, count, sum_ms, buckets }: Series): string[] {
  const labels = `tool="${tool}",outcome="${outcome}"`;
  const below = BUCKETS_MS.map(
    (limit, i) => `errand_call_duration_seconds_bucket{${labels},le="${seconds(limit)}"} ${buckets[i] ?? 0}`,
  );
  return [
    ...below,
    `errand_call_duration_seconds_bucket{${labels},le="+Inf"} ${count}`,
    `errand_call_duration_seconds_sum{${labels}} ${seconds(sum_ms)}`,
    `errand_call_duration_seconds_count{${labels}} ${count}`,
  ];
}

const gaugeLines = ({ name, help, read }: Gauge): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} gauge`,
  `${name} ${read()}`,
];

/** Counts calls in memory. The labels come from the catalogue and the table of errors, so their number is bounded. */
export function createMetrics(started_at: number): Metrics {
  const series = new Map<string, Series>();
  const gauges: Gauge[] = [];

  return {
    call: (tool, outcome, latency_ms) => {
      const key = `${tool} ${outcome}`;
      const known = series.get(key) ?? newSeries(tool, outcome);
      if (known.count === 0) series.set(key, known);
      known.count += 1;
      known.sum_ms += latency_ms;
      for (let i = BUCKETS_MS.length - 1; i >= 0 && latency_ms <= (BUCKETS_MS[i] ?? 0); i -= 1) {
        known.buckets[i] = (known.buckets[i] ?? 0) + 1;
      }
    },
    gauge: (gauge) => void gauges.push(gauge),
    text: () =>
      [
        '# HELP errand_call_duration_seconds How long tool calls took, by tool and outcome.',
        '# TYPE errand_call_duration_seconds histogram',
        ...[...series.values()].flatMap(durationLines),
        ...gauges.flatMap(gaugeLines),
        '# HELP process_start_time_seconds When this process started, in seconds since 1970.',
        '# TYPE process_start_time_seconds gauge',
        `process_start_time_seconds ${seconds(started_at)}`,
        '# HELP process_resident_memory_bytes Memory in use.',
        '# TYPE process_resident_memory_bytes gauge',
        `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
        '',
      ].join('\n'),
  };
}
