import type { KeyName } from '#domain/idempotency';
import type { UserId } from '#domain/ids';
import { findRecords, recordName } from '#store/sql/repositories/idempotency';
import { PLACES, readPlaces } from '#store/sql/repositories/outbox';
import { findLists, listName } from '#store/sql/repositories/projects';
import type { Session } from '#store/sql/session';
import { findSpeakers, speakerName } from '#store/sql/write-messages';

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

export async function readAhead(session: Session, { keys, users, places }: GroupLookups): Promise<Ahead> {
  const [records, speakers, lists, waiting] = await Promise.all([
    keys.length === 0 ? [] : findRecords(session, keys),
    users.length === 0 ? [] : findSpeakers(session, users),
    users.length === 0 ? [] : findLists(session, users),
    places ? readPlaces(session) : null,
  ]);
  const once = new Map<string, unknown>(keys.map((key) => [recordName(key), null]));
  if (waiting !== null) once.set(PLACES, waiting);
  for (const record of records) once.set(recordName(record), record);
  for (const speaker of speakers) once.set(speakerName(speaker.user_id), speaker);
  return { still: new Map(lists.map((list) => [listName(list.workspace_id, list.owner_id), list])), once };
}
