import type { WorkspaceId } from '#domain/ids';
import type { DatabaseFigures, QueueFigures } from '#domain/operations';

/** The read methods about the running of the whole installation: see `Reads`. */
export interface OperationReads {
  readonly operations: {
    readonly database: () => Promise<DatabaseFigures>;
    readonly queue: (workspace: WorkspaceId) => Promise<QueueFigures>;
    /** What the clients of the latest sessions declared, as JSON, of at most `limit` sessions. */
    readonly clientFacts: (limit: number) => Promise<readonly string[]>;
  };
}
