import type { Column } from '../api/board.ts';
import { taskLook } from '../text/words.ts';
import { Menu } from '../ui/menu.tsx';
import { StatusIcon } from '../ui/status-icon.tsx';

interface MoveMenuProps {
  readonly columns: readonly Column[];
  /** The card at which the menu opens. */
  readonly anchor: Element;
  /** What has the focus afterwards; otherwise the card. */
  readonly finalFocus?: (() => HTMLElement | null) | undefined;
  readonly onMove: (status: string) => void;
  readonly onClose: () => void;
}

/** The menu of states to move cards to, by M: what dragging does, by keys. */
export function MoveMenu({ columns, anchor, finalFocus, onMove, onClose }: MoveMenuProps) {
  return (
    <Menu
      label="Move to"
      filter="Move to…"
      keys="m"
      anchor={anchor}
      finalFocus={finalFocus}
      open
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      items={columns.map(({ status, name, group }) => ({
        id: status,
        label: name,
        icon: <StatusIcon of="task" status={taskLook({ group, state: name })} />,
        onSelect: () => onMove(status),
      }))}
    />
  );
}
