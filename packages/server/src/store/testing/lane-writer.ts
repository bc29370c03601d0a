import { argv, stdout } from 'node:process';
import type { UserId, WorkspaceId } from '#domain/ids';
import { openPostgresStore } from '#store/sql/postgres/open-postgres-store';
import { createUuidV7 } from '#store/uuid-v7';

/** Writes events in lanes, as fast as it can until it is killed, and prints each that was committed. */
const [, , url = '', user_id = '', workspace_id = '', name = '', lanes = ''] = argv;
const store = await openPostgresStore({ url, ids: createUuidV7(Date.now) });

async function write(lane: string): Promise<void> {
  for (let turn = 0; ; turn++) {
    await store.transaction(
      async (tx) => {
        await tx.settings.put(`${name} ${lane}`, String(turn));
        tx.emit({
          // The ids are those of rows that the test has written.
          workspace_id: workspace_id as WorkspaceId,
          kind: `${name}.${lane}`,
          entity_id: String(turn),
          execution_id: null,
          audience: {
            scope: 'issue:read',
            project_id: null,
            user_id: user_id as UserId,
            agent_id: null,
            service_id: null,
          },
          actor: null,
          data: null,
        });
      },
      { lane },
    );
    stdout.write(`${name}.${lane} ${turn}\n`);
  }
}

await Promise.all(Array.from({ length: Number(lanes) }, (_, i) => write(`${name}-${i}`)));
