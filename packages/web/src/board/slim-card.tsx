import { memo } from 'react';
import type { Card } from '../api/board.ts';
import { AgentTile } from '../ui/agent-tile.tsx';
import { KeyLabel } from '../ui/key-label.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { StatusIcon } from '../ui/status-icon.tsx';
import { workerOf } from './card-looks.ts';

interface SlimCardProps {
  readonly card: Card;
  readonly onOpen: (card: Card) => void;
}

/** A task that is done, in one row of a stack. */
export const SlimCard = memo(function SlimCard({ card, onOpen }: SlimCardProps) {
  const worker = workerOf(card);
  const key = card.key ?? card.task_id.slice(0, 8);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the board listens to Enter for the card that has the focus.
    <article
      className="slim"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys j and k move the focus from card to card.
      tabIndex={0}
      aria-label={`${key} ${card.title}`}
      data-testid={`card-${key}`}
      data-task={card.task_id}
      onClick={() => onOpen(card)}
    >
      <StatusIcon of="task" status="done" />
      <div>
        <h3>{card.title}</h3>
        <p>
          <KeyLabel value={key} />
          <span className="grow" />
          {worker === null ? null : <AgentTile id={worker.id} name={worker.name} size={16} />}
          <RelativeTime at={card.completed_at ?? card.updated_at} since="done" />
        </p>
      </div>
    </article>
  );
});
