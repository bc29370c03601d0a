import { FOR_PREVIOUS_RELEASE, readBitRights } from '#domain/bit-rights';
import { type Caller, hasScope } from '#domain/caller';
import { coversPeople, coversProjects, StoredRights, storedRights } from '#domain/stored-rights';
import type { Tool } from '#tools/catalog';
import { neededBy } from './authorize.ts';

/** Who may see a task: the one rule, for every transport that has tasks. */
export interface TaskVisibility {
  /** What is stored in the context of a task that this caller makes. */
  readonly rightsForTask: (caller: Caller) => { readonly rights: StoredRights } & typeof FOR_PREVIOUS_RELEASE;
  /**
   * Whether the caller may see a task of this tool with this context: only if it could have made the task itself, or
   * the result would tell a narrow token what a wide one has read.
   */
  readonly seesTask: (caller: Caller, tool: Tool, context: Readonly<Record<string, unknown>>) => boolean;
}

const readRights = ({ rights, ...older }: Readonly<Record<string, unknown>>): StoredRights | null =>
  rights === undefined ? readBitRights(older) : (StoredRights.safeParse(rights).data ?? null);

const isSame = (stored: string | null, own: string): boolean => stored === null || stored === own;

export const taskVisibility: TaskVisibility = {
  rightsForTask: (caller) => ({ rights: storedRights(caller), ...FOR_PREVIOUS_RELEASE }),
  seesTask: (caller, tool, context) => {
    const rights = readRights(context);
    if (rights === null) return false;
    if (!isSame(rights.workspace_id, caller.workspace_id) || !isSame(rights.principal_id, caller.principal_id)) {
      return false;
    }
    if (!neededBy(caller, tool).every((scope) => hasScope(caller, scope))) return false;
    if (tool.by_project && !coversProjects(caller.reach, rights.projects)) return false;
    return coversPeople(caller.acts_for, rights.acts_for);
  },
};
