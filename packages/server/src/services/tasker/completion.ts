import { say, type Words } from '#advice';
import { blocksOf, type DetailLayout } from '#domain/blocks';
import { openItems } from '#domain/patch-blocks';
import type { Project, StateGroup } from '#domain/project';
import type { ProjectRights } from '#domain/reach';
import { ErrandError } from '#errors';
import type { ReadWork } from '#services/work';

const MAX_ITEMS_LISTED = 10;

interface Entry {
  readonly group: StateGroup;
  /** The blocks that the issue has then. */
  readonly layout: DetailLayout | null;
  /** What the caller can do instead of a move that is not granted, as a sentence. */
  readonly instead?: Words;
}

type Moves = Pick<ProjectRights, 'can_complete' | 'can_cancel'>;

/** Refuses a move to a completed or cancelled state that the grant does not permit. */
export function mustPermit({ can_complete, can_cancel }: Moves, group: StateGroup, instead?: Words): void {
  if ((group !== 'completed' || can_complete) && (group !== 'cancelled' || can_cancel)) return;
  const advice = ['Let a person move it.', say`Say that it is ready with ${{ tool: 'tasker_append_comment' }}.`];
  throw new ErrandError('move_not_granted', `This token may not move work of this project to a ${group} state.`, {
    hint: [...(instead === undefined ? [] : [instead]), ...advice],
    details: { group },
  });
}

/** Refuses a move that the grant does not permit, or that the project's gate holds back. */
export function mayEnter(work: ReadWork, project: Project, { group, layout, instead }: Entry): void {
  mustPermit(work.rightsIn(project.id), group, instead);
  if (group === 'completed') mustBeChecked(project, layout);
}

/** Holds an item back that the gate of its project keeps from being completed. */
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
      // Their ids alone: words of others in an error could pass for ours.
      details: { open_item_ids: open.slice(0, MAX_ITEMS_LISTED).map(({ id }) => id) },
    },
  );
}
