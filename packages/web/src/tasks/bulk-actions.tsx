import { useState } from 'react';
import type { Board } from '../api/board.ts';
import type { MyProject } from '../api/me.ts';
import { namesIn, PRIORITY_WORDS, plural } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu } from '../ui/menu.tsx';
import { PriorityIcon } from '../ui/priority-icon.tsx';
import { BulkBar } from '../ui/table.tsx';
import type { Edit } from './bulk.ts';
import { stateItems } from './state-items.tsx';

interface BulkActionsProps {
  readonly board: Board;
  readonly project: MyProject | undefined;
  readonly count: number;
  readonly busy: boolean;
  readonly onEdit: (edit: Edit) => void;
  readonly onDelete: () => Promise<unknown>;
  readonly onClear: () => void;
}

const PRIORITIES = namesIn(PRIORITY_WORDS);

/** The bar for selected tasks: move them, set their priority, delete them after a question. */
export function BulkActions({ board, project, count, busy, onEdit, onDelete, onClear }: BulkActionsProps) {
  const [isAsking, setAsking] = useState(false);
  const canDelete = project?.scopes.includes('board:delete') ?? false;
  const tasks = plural(count, 'task');
  return (
    <>
      <BulkBar
        actions={
          <>
            <Menu
              label="Move to"
              side="top"
              items={stateItems(board, project, (status) => onEdit({ status }))}
              trigger={
                <Button size="small" icon="arrow-right">
                  State
                </Button>
              }
            />
            <Menu
              label="Set the priority"
              side="top"
              items={PRIORITIES.map((priority) => ({
                id: priority,
                label: PRIORITY_WORDS[priority],
                icon: <PriorityIcon priority={priority} />,
                onSelect: () => onEdit({ priority }),
              }))}
              trigger={<Button size="small">Priority</Button>}
            />
            {canDelete ? (
              <Button size="small" kind="danger" onClick={() => setAsking(true)}>
                Delete
              </Button>
            ) : null}
            <IconButton icon="x" label="Clear the selection" onClick={onClear} />
          </>
        }
      >
        {count} selected
      </BulkBar>
      <Confirm
        open={isAsking}
        onOpenChange={setAsking}
        title={`Delete ${tasks}?`}
        verb={`Delete ${tasks}`}
        danger
        busy={busy ? 'Deleting…' : false}
        onConfirm={() => void onDelete().finally(() => setAsking(false))}
      >
        <p>They are deleted for good, with their attempts. This cannot be undone.</p>
      </Confirm>
    </>
  );
}
