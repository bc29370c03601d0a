import type { WorkspaceId } from '#domain/ids';
import type { DatabaseFigures, QueueFigures } from '#domain/operations';
import type { OperationReads } from '#store/operation-store';
import { LIMIT } from '#store/sql/page';
import type { Session } from '#store/sql/session';
import { statement } from '#store/sql/statement';

const SIZE = {
  sqlite: '(select page_count * page_size from pragma_page_count(), pragma_page_size())',
  postgres: 'pg_database_size(current_database())',
} as const;

const VERSION = { sqlite: 'sqlite_version()', postgres: "current_setting('server_version')" } as const;

const database = statement<object, DatabaseFigures>(
  ({ dialect }) => `
    select '${dialect}' as kind, ${VERSION[dialect]} as version, ${SIZE[dialect]} as bytes, count(*) as migrations, max(name) as latest_migration
    from migrations`,
);

const ofStatus = (status: string): string => `
  (select count(*) from executions where workspace_id = :workspace_id and status = '${status}')`;

const queue = statement<{ readonly workspace_id: WorkspaceId }, QueueFigures>(`
  select ${ofStatus('queued')} as queued, ${ofStatus('running')} as running,
    (select min(started_at) from executions where workspace_id = :workspace_id and status = 'queued') as oldest_queued_at`);

const facts = statement<{ readonly limit: number }, { readonly facts: string }>(`
  select facts from client_sessions order by seen_at desc ${LIMIT}`);

export const operationReads = (session: Session): OperationReads => ({
  operations: {
    database: async () => {
      const found = await session.get(database, {});
      if (found === null) throw new Error('The database does not tell its size.');
      return { ...found, bytes: Number(found.bytes), migrations: Number(found.migrations) };
    },
    queue: async (workspace_id) => {
      const found = await session.get(queue, { workspace_id });
      return {
        queued: Number(found?.queued ?? 0),
        running: Number(found?.running ?? 0),
        oldest_queued_at: found?.oldest_queued_at ?? null,
      };
    },
    clientFacts: async (limit) => (await session.all(facts, { limit })).map((row) => row.facts),
  },
});
