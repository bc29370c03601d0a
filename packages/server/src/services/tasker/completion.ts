import { blocksOf, type DetailLayout } from '#domain/blocks';
import { openItems } from '#domain/patch-blocks';
import type { Project, StateGroup } from '#domain/project';
import { ErrandError } from '#errors';
import type { ReadWork } from '#services/work';

const MOST_ITEMS_LISTED = 10;

interface Entry {
  readonly group: StateGroup;
  /** The blocks that the issue has then. */
  readonly layout: DetailLayout | null;
}

/** Refuses a move that the grant does not permit, or that the project's gate holds back. */
export function mayEnter(work: ReadWork, project: Project, { group, layout }: Entry): void {
  const { can_complete, can_cancel } = work.rightsIn(project.id);
  if ((group === 'completed' && !can_complete) || (group === 'cancelled' && !can_cancel)) {
    throw new ErrandError('move_not_granted', `This token may not move issues of this project to a ${group} state.`, {
      hint: 'Leave it in a state of another group, say in a comment that it is ready, and let a person move it.',
      details: { group },
    });
  }
  if (group !== 'completed' || project.completion_gate === 'none') return;

  const open = openItems(blocksOf(layout));
  if (open.length === 0) return;
  throw new ErrandError('completion_blocked', `${open.length} checker items of this issue are open.`, {
    hint: 'Do what they ask for and tick each with tasker_update_structured_blocks, action update_checker_item.',
    details: { open_items: open.slice(0, MOST_ITEMS_LISTED).map(({ id, text }) => ({ id, text })) },
  });
}
