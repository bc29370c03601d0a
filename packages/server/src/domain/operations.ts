/** Figures that the database has about itself. */
export interface DatabaseFigures {
  readonly kind: 'sqlite' | 'postgres';
  readonly version: string;
  readonly bytes: number;
  readonly migrations: number;
  readonly latest_migration: string | null;
}

/** The runs that wait and go on. */
export interface QueueFigures {
  readonly queued: number;
  readonly running: number;
  readonly oldest_queued_at: number | null;
}

/** The name that MCP clients sent, and how many sessions they have. */
export interface ClientFigures {
  readonly name: string | null;
  readonly version: string | null;
  readonly protocol: string;
  /** Its sessions. */
  readonly count: number;
  /** Its calls since this server began. */
  readonly calls: number;
}

/** How the changes reach those who follow them. */
export interface EventFigures {
  readonly listeners: number;
  /** How many changes the slowest of them has still to hear of. */
  readonly backlog: number;
  /** How long a change takes until they hear of it: the median of the latest. Null before the first. */
  readonly lag_ms: number | null;
}

/** The disk that the database is on. */
export interface DiskFigures {
  readonly free_bytes: number;
  readonly total_bytes: number;
}

/** What this process knows about itself. */
export interface ServerFigures {
  /** How many tools there are. */
  readonly tools: number;
  readonly events: () => EventFigures;
  /** Null where the database is on another machine. */
  readonly disk: () => DiskFigures | null;
  /** The most runs that waited in each part of the last minutes; null for a part that was not measured. */
  readonly queued: (minutes: number, parts: number) => readonly (number | null)[];
  /** The oldest size of the database that is known, of the last week. */
  readonly firstSize: () => { readonly at: number; readonly bytes: number } | null;
}
