import { say, type Words } from '#advice';
import { blocksOf, type DetailLayout } from '#domain/blocks';
import { isProgram } from '#domain/caller';
import type { Verdict } from '#domain/check';
import type { ProjectId, WorkItemId } from '#domain/ids';
import { openItems } from '#domain/patch-blocks';
import type { Project, StateGroup } from '#domain/project';
import type { ProjectRights } from '#domain/reach';
import { ErrandError } from '#errors';
import { attemptsOfItem } from '#services/attempts/attempts-of-item';
import type { ReadWork } from '#services/work';

const MAX_ITEMS_LISTED = 10;

interface Entry {
  /** The task or issue that moves; null for one that is about to be made. */
  readonly item: { readonly id: string } | null;
  readonly group: StateGroup;
  /** The blocks of the issue after the change. */
  readonly layout: DetailLayout | null;
  /** That of the attempt whose work is completed by the move; unless given, it is found. */
  readonly verdict?: Verdict | null;
  /** A sentence about what the caller can do instead of a move that is not granted. */
  readonly instead?: Words;
}

type Moves = Pick<ProjectRights, 'can_complete' | 'can_cancel'>;

/** Refuses a move to a completed or cancelled state without the grant for it. */
export function mustPermit({ can_complete, can_cancel }: Moves, group: StateGroup, instead?: Words): void {
  if ((group !== 'completed' || can_complete) && (group !== 'cancelled' || can_cancel)) return;
  const advice = ['Let a person move it.', say`Say that it is ready with ${{ tool: 'tasker_append_comment' }}.`];
  throw new ErrandError('move_not_granted', `This token may not move work of this project to a ${group} state.`, {
    hint: [...(instead === undefined ? [] : [instead]), ...advice],
    details: { group },
  });
}

/** Refuses a move without the grant for it, or that a gate of the project refuses. */
export async function mayEnter(
  work: ReadWork,
  project: Project,
  { item, group, layout, verdict, instead }: Entry,
): Promise<void> {
  mustPermit(work.rightsIn(project.id), group, instead);
  if (group !== 'completed') return;
  mustBeChecked(project, layout);
  await mustBeGreen(work, project, item, verdict);
}

/**
 * The verdict on the work of an item: that of the caller's own attempt, else of the attempt that was merged, else of the newest
 * one that is not archived.
 */
async function verdictFor({ caller, tx }: ReadWork, project_id: ProjectId, id: string): Promise<Verdict | null> {
  const within = { workspace_id: caller.workspace_id, project_ids: [project_id] };
  // Safe: the id of an issue in another tracker is found nowhere.
  const task = await tx.board.task(within, id as WorkItemId);
  if (task === null) return null;
  const attempts = await attemptsOfItem(tx, { ...within, project_id, id: task.id });
  const own = attempts.find((attempt) => attempt.id === caller.attempt_id);
  const counted = own ?? attempts.find(({ merged_at }) => merged_at !== null);
  return counted === undefined ? task.verdict : counted.verdict;
}

/** Refuses an agent that completes work whose checks are not green, where the project wants them green. People may. */
export async function mustBeGreen(
  work: ReadWork,
  { id: project_id, require_green }: Pick<Project, 'id' | 'require_green'>,
  item: { readonly id: string } | null,
  known?: Verdict | null,
): Promise<void> {
  if (!require_green || !isProgram(work.caller)) return;
  const found = item === null ? null : known === undefined ? await verdictFor(work, project_id, item.id) : known;
  if (found === 'green') return;
  throw new ErrandError('completion_blocked', 'This project wants green checks before an agent completes work.', {
    hint: [
      say`${{ tool: 'get_attempt' }} with ${{ field: 'include', value: 'checks' }} shows what failed.`,
      'Ask a person to look at it.',
    ],
    details: { verdict: found },
  });
}

/** Refuses to complete an item that the project's completion gate refuses. */
export function mustBeChecked({ completion_gate }: Project, layout: DetailLayout | null): void {
  const open = completion_gate === 'none' ? [] : openItems(blocksOf(layout));
  if (open.length === 0) return;
  throw new ErrandError(
    'completion_blocked',
    `Open checker items: ${open.length}. This project wants all of them checked first.`,
    {
      hint: [
        say`Read them with ${{ tool: 'tasker_get_issue' }}.`,
        say`${{ tool: 'tasker_update_structured_blocks' }} with ${{ field: 'action', value: 'update_checker_item' }} ticks what is done.`,
      ],
      // Only the ids: titles of other people in an error could look like text of Errand.
      details: { open_item_ids: open.slice(0, MAX_ITEMS_LISTED).map(({ id }) => id) },
    },
  );
}
