import { kindNamedBy, type ProjectId, type RunId, type UserId, type WorkItemId } from '#domain/ids';
import { isWholeId } from '#domain/reference';
import { reportableRuns } from '#domain/run-visibility';
import type { Reads, Store } from '#store/store';
import type { Tool } from '#tools/catalog';
import type { Admitted, Settled } from './admit.ts';
import { reachable } from './authorize.ts';

const MAX_KNOWN = 10_000;

/** Finds the lane of what a field of the call names; null when it is not found. */
type Find = (reads: Reads, admitted: Admitted, id: string) => Promise<string | null>;

// A text that is no id finds nothing.
const FINDS: Readonly<Record<string, Find>> = {
  list: async (reads, { call: { caller } }, id) =>
    (await reads.projects.todoList(caller.workspace_id, id as UserId))?.project_id ?? null,
  project: async (_, __, id) => id as ProjectId,
  work_item: async (reads, { call: { caller }, needed }, id) =>
    (await reads.workItems.find(reachable(caller, needed), id as WorkItemId))?.project_id ?? null,
  execution: async (reads, { call: { caller } }, id) => {
    const run = await reads.runs.seen(reportableRuns(caller), id as RunId);
    return run && (run.project_id ?? run.user_id);
  },
};

/** What the field names, as far as lanes know it. */
function kindOf({ lane, subject, input }: Tool): string | null {
  if (lane === null) return null;
  if (lane === subject) return 'list';
  const schema = input.shape[lane];
  return (schema && kindNamedBy(schema)) ?? null;
}

interface LaneLookup {
  readonly kind: string;
  readonly field: string;
  /** Under which the answer is kept. */
  readonly key: string;
}

/** With the caller where the answer depends on what that may see. */
function keyOf({ call: { caller }, named, input }: Admitted, kind: string, field: string): string {
  if (kind !== 'list') return `${kind} ${caller.workspace_id} ${caller.principal_id} ${String(input[field])}`;
  const whose = typeof named === 'string' ? named : `${named.app}\n${named.external_id}`;
  return `${kind} ${caller.workspace_id} ${whose}`;
}

/**
 * Finds the project that a call is confined to, before its transaction; null when it is confined to none. What was found
 * once is kept: the call checks in its transaction that it is there.
 */
export function createLaneOf(
  { reads, has_lanes }: Pick<Store, 'reads' | 'has_lanes'>,
  withIds: (reads: Reads, settled: Settled) => Promise<Settled>,
) {
  const kinds = new Map<Tool, string | null>();
  const known = new Map<string, string>();

  const keep = (key: string, lane: string): string => {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, lane);
    return lane;
  };

  /** The user of a todo list. One that an app names for the first time is none yet. */
  async function subjectOf({ call: { caller }, named }: Admitted): Promise<string | null> {
    if (typeof named === 'string') return named;
    return (await reads.appUsers.find(caller.workspace_id, named))?.id ?? null;
  }

  async function idIn(admitted: Admitted, field: string): Promise<unknown> {
    const given = admitted.input[field];
    if (typeof given !== 'string' || isWholeId(given)) return given;
    // The subject decides about the names of todos alone.
    return (await withIds(reads, { ...admitted, subject: admitted.call.caller.user_id })).input[field];
  }

  async function look(admitted: Admitted, { kind, field, key }: LaneLookup): Promise<string | null> {
    const id = kind === 'list' ? await subjectOf(admitted) : await idIn(admitted, field);
    if (typeof id !== 'string') return null;
    const lane = (await FINDS[kind]?.(reads, admitted, id)) ?? null;
    if (lane === null) return null;
    // A name may be given to something else.
    return kind === 'list' || isWholeId(String(admitted.input[field])) ? keep(key, lane) : lane;
  }

  return (admitted: Admitted): string | null | Promise<string | null> => {
    const { tool } = admitted.call;
    const { lane: field, beyond_lane } = tool;
    if (!has_lanes || field === null || beyond_lane.some((name) => admitted.input[name] !== undefined)) return null;
    const kind = kinds.get(tool) ?? kindOf(tool);
    kinds.set(tool, kind);
    if (kind === null || FINDS[kind] === undefined) return null;
    const key = keyOf(admitted, kind, field);
    const found = known.get(key);
    // A call that cannot be placed runs alone, and fails there with its own reason.
    return found ?? look(admitted, { kind, field, key }).catch(() => null);
  };
}
