/** Figures that the database has about itself. */
export interface DatabaseFigures {
  readonly kind: 'sqlite' | 'postgres';
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
  readonly count: number;
}
