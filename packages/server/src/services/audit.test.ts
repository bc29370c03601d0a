import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { AuditDraft } from '#domain/audit';
import { openSqliteStore } from '#store/sql/sqlite/open-sqlite-store';
import { countedIds } from '#testing/world';
import { createAudit } from './audit.ts';
import { ensureInstallation } from './installation.ts';

/** A trail of ten entries, then what someone does to the file, then what verification says. */
async function verifyAfter(tamper: (db: DatabaseSync) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'errand-audit-'));
  const path = join(folder, 'errand.db');
  const ids = countedIds();
  const store = await openSqliteStore({ path, clock: () => 1_000, ids });
  try {
    const { workspace_id, owner_id } = await ensureInstallation(store, ids, 'owner');
    const draft: AuditDraft = {
      workspace_id,
      actor_kind: 'local',
      user_id: owner_id,
      agent_id: null,
      token_id: null,
      action: 'todo_add_task',
      outcome: 'ok',
      entity: null,
      entity_id: null,
      idempotency_key: null,
      correlation_id: 'c',
    };
    for (let i = 0; i < 10; i++) await store.transaction(async (tx) => tx.record({ ...draft, entity_id: `${i}` }));
    const db = new DatabaseSync(path);
    tamper(db);
    db.close();
    return await createAudit().verify({ tx: store.reads, caller: undefined as never, subject: owner_id });
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

const copy = `insert into audit_events select 11, at, workspace_id, actor_kind, user_id, agent_id, token_id, action, outcome, entity, entity_id, idempotency_key, correlation_id, prev_hash, hash from audit_events where seq = 10`;

describe('the audit trail', () => {
  it('is whole when nobody touched it', async () => {
    expect(await verifyAfter(() => {})).toEqual({ entries: 10, first_bad_seq: null, problem: null });
  });

  it.each([
    ['a change', 4, (db: DatabaseSync) => db.exec(`update audit_events set entity_id = 'x' where seq = 4`)],
    ['a deletion', 4, (db: DatabaseSync) => db.exec('delete from audit_events where seq = 4')],
    ['an insertion at the end', 11, (db: DatabaseSync) => db.exec(copy)],
    [
      'two entries that changed places',
      3,
      (db: DatabaseSync) =>
        db.exec(
          'update audit_events set seq = -1 where seq = 3; update audit_events set seq = 3 where seq = 7; update audit_events set seq = 7 where seq = -1',
        ),
    ],
    ['a tail cut off', 9, (db: DatabaseSync) => db.exec('delete from audit_events where seq > 8')],
    ['everything cut off', 1, (db: DatabaseSync) => db.exec('delete from audit_events')],
  ])('shows %s, and where', async (_, seq, tamper) => {
    expect(await verifyAfter(tamper)).toMatchObject({ first_bad_seq: seq });
  });
});
