import { PRIORITY_WORDS, type PriorityLook } from '../text/words.ts';
import { Icon } from './icon.tsx';
import './priority-icon.css';

export interface PriorityIconProps {
  readonly priority: PriorityLook;
}

/** Priority is never coloured: bars and a filled square say it. */
export function PriorityIcon({ priority }: PriorityIconProps) {
  return (
    <span className={`prio ${priority}`} title={PRIORITY_WORDS[priority]}>
      <Icon name={`pr-${priority}`} />
      <span className="sr">{PRIORITY_WORDS[priority]}</span>
    </span>
  );
}
