import type { KeyName } from '#domain/idempotency';
import type { UserId } from '#domain/ids';
import { mustHaveChain } from '#store/sql/repositories/audit';
import { findSome, recordName } from '#store/sql/repositories/idempotency';
import { LEFT, LEFT_PARAMS, PLACES, takePlaces } from '#store/sql/repositories/outbox';
import { listName, todoLists } from '#store/sql/repositories/projects';
import type { Session } from '#store/sql/session';
import { type Found as FoundBy, together } from '#store/sql/statement';
import { speakerName, speakers } from '#store/sql/write-messages';

/** What the works of a group look up first. */
export interface GroupLookups {
  readonly keys: readonly KeyName[];
  readonly users: readonly UserId[];
  /** Whether to take the right to give places already now. */
  readonly places: boolean;
}

/** What was read for all works of a group, in the round trip that takes its locks. */
export interface Ahead {
  /** What stands still while the locks are held. */
  readonly still: ReadonlyMap<string, unknown>;
  /** Rows that a work of the group may change. Each can be taken once; a second request reads the database. */
  readonly once: Map<string, unknown>;
}

export const nothingAhead = (): Ahead => ({ still: new Map(), once: new Map() });

const LOOKED_UP = { records: findSome, speakers, lists: todoLists } as const;

type Found = FoundBy<typeof LOOKED_UP>;

const lookups = together(LOOKED_UP);
const lookupsAndLeft = together({ ...LOOKED_UP, ...LEFT });

export async function readAhead(session: Session, { keys, users, places }: GroupLookups): Promise<Ahead> {
  if (keys.length + users.length === 0 && !places) return nothingAhead();
  const named = { users: JSON.stringify(users) };
  const asked = { records: { keys: JSON.stringify(keys) }, speakers: named, lists: named };
  const once = new Map<string, unknown>(keys.map((key) => [recordName(key), null]));
  let found: Found | null;
  if (places) {
    const [seq, row] = await Promise.all([
      takePlaces(session),
      session.get(lookupsAndLeft, { ...asked, ...LEFT_PARAMS }),
    ]);
    if (row !== null) once.set(PLACES, { seq, chain: mustHaveChain(row.chain[0]), rows: row.rows });
    found = row;
  } else {
    found = await session.get(lookups, asked);
  }
  for (const record of found?.records ?? []) once.set(recordName(record), record);
  for (const speaker of found?.speakers ?? []) once.set(speakerName(speaker.user_id), speaker);
  const still = (found?.lists ?? []).map((list) => [listName(list.workspace_id, list.owner_id), list] as const);
  return { still: new Map(still), once };
}
