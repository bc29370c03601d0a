/** A call as the page of an agent shows it, without any content. */
export interface RecentCall {
  readonly tool: string;
  readonly transport: string;
  /** "ok", or the code of the error. */
  readonly outcome: string;
  readonly latency_ms: number;
  readonly at: number;
}

/** How calls of one tool went. */
export interface ToolFigures {
  readonly tool: string;
  readonly calls: number;
  readonly failed: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/** How the calls of a part of time went. */
export interface CallSpan {
  /** When it began. */
  readonly at: number;
  readonly calls: number;
  readonly failed: number;
  /** The slowest of the 99th percentiles of its minutes. */
  readonly p99_ms: number;
}

/** The figures of the calls that this process has answered since it started. */
export interface CallFigures {
  readonly since: number;
  /** The latest of an agent, newest first. */
  readonly ofAgent: (agent_id: string) => readonly RecentCall[];
  /** When the latest request of an agent came, also one that called no tool; null for none. */
  readonly seenAt: (agent_id: string) => number | null;
  readonly tools: () => readonly ToolFigures[];
  /** The latest minutes, cut into equal parts: the oldest first, the last one up to now. */
  readonly spans: (minutes: number, parts: number) => readonly CallSpan[];
  readonly outcomes: () => readonly { readonly code: string; readonly count: number }[];
}
