import type { Board, Column } from '../api/board.ts';
import type { MyProject } from '../api/me.ts';
import { taskLook } from '../text/words.ts';
import type { MenuItem } from '../ui/menu.tsx';
import { StatusIcon } from '../ui/status-icon.tsx';

/** Why a person may not move tasks to a state; undefined if they may. */
function refusalOf({ group }: Column, project: MyProject | undefined): string | undefined {
  if (group === 'completed' && project?.can_complete === false) return 'You may not complete tasks here.';
  if (group === 'cancelled' && project?.can_cancel === false) return 'You may not cancel tasks here.';
  return undefined;
}

/** The states of a project to move tasks to. */
export const stateItems = (
  { columns }: Board,
  project: MyProject | undefined,
  onSelect: (status: string) => void,
): readonly MenuItem[] =>
  columns.map((column) => {
    const refused = refusalOf(column, project);
    return {
      id: column.status,
      label: column.name,
      icon: <StatusIcon of="task" status={taskLook({ group: column.group, state: column.name })} />,
      ...(refused !== undefined && { refused }),
      onSelect: () => onSelect(column.status),
    };
  });
