import type { WorkspaceId } from '#domain/ids';
import type { Store } from '#store/store';

const EVERY_MS = 60_000;

interface Sampling {
  readonly reads: Store['reads'];
  readonly workspace_id: WorkspaceId;
  readonly add: (sample: { readonly queued: number; readonly database_bytes: number }) => void;
  readonly failed: (error: unknown) => void;
}

/** Notes at once and each minute how many runs wait and how large the database is, until the returned function is called. */
export function startQueueSamples({ reads, workspace_id, add, failed }: Sampling): () => void {
  let isReading = false;

  async function sample(): Promise<void> {
    if (isReading) return;
    isReading = true;
    try {
      const [{ queued }, { bytes }] = await Promise.all([
        reads.operations.queue(workspace_id),
        reads.operations.database(),
      ]);
      add({ queued, database_bytes: bytes });
    } catch (error) {
      failed(error);
    } finally {
      isReading = false;
    }
  }

  void sample();
  const timer = setInterval(() => void sample(), EVERY_MS).unref();
  return () => clearInterval(timer);
}
