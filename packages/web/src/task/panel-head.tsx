import type { ReactNode } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { KeyLabel } from '../ui/key-label.tsx';
import { Presence } from './presence.tsx';
import { linkOf } from './task-menu.tsx';
import type { TaskOrder } from './task-order.ts';

interface PanelHeadProps {
  readonly name: string;
  /** Undefined before the task is known. */
  readonly taskId: string | undefined;
  readonly place: TaskOrder | null;
  readonly onShow: (name: string | null | undefined) => void;
  readonly onPage: () => void;
  readonly onClose: () => void;
  /** The menu of the task. */
  readonly children: ReactNode;
}

/**
 * The head of the panel: where the task stands in its column (J K lead to the others), who else looks at it, copies of
 * key and link, and the ways out.
 */
export function PanelHead({ name, taskId, place, onShow, onPage, onClose, children }: PanelHeadProps) {
  return (
    <header className="panel-head">
      <span className="panel-ways">
        <IconButton
          icon="up"
          label="Previous task"
          keys="k"
          disabled={!place?.before}
          onClick={() => onShow(place?.before)}
        />
        <IconButton
          icon="down"
          label="Next task"
          keys="j"
          disabled={!place?.after}
          onClick={() => onShow(place?.after)}
        />
        {place === null ? null : (
          <span className="faint num">
            {place.at} of {place.of}
          </span>
        )}
      </span>
      <span className="grow" />
      <Presence taskId={taskId} />
      <KeyLabel value={name} />
      <span className="panel-copy">
        <CopyButton text={name} label="Copy the key" />
      </span>
      <CopyButton text={linkOf(name)} label="Copy link" as="icon" icon="link" />
      <IconButton icon="expand" label="Open as page" keys="mod+enter" className="panel-page" onClick={onPage} />
      {children}
      <IconButton icon="x" label="Close" keys="esc" className="panel-close" onClick={onClose} />
    </header>
  );
}
