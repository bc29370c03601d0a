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

/** What a process knows of the calls that it has answered since it began. */
export interface CallFigures {
  readonly since: number;
  /** The latest of an agent, newest first. */
  readonly ofAgent: (agent_id: string) => readonly RecentCall[];
  readonly tools: () => readonly ToolFigures[];
  readonly outcomes: () => readonly { readonly code: string; readonly count: number }[];
}
