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
  /** Those over MCP. */
  readonly mcp: number;
  readonly failed: number;
  /** Those that failed because the server did. */
  readonly faults: number;
  /** The mean of the medians of its minutes. */
  readonly p50_ms: number;
  /** The slowest of the 99th percentiles of its minutes. */
  readonly p99_ms: number;
}

/** How many calls an MCP client has made. What it calls itself is not checked. */
export interface ClientCalls {
  readonly name: string | null;
  readonly version: string | null;
  readonly protocol: string;
  readonly calls: number;
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
  readonly clients: () => readonly ClientCalls[];
  readonly outcomes: () => readonly { readonly code: string; readonly count: number; readonly is_fault: boolean }[];
}
