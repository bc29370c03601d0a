import { memo, useRef } from 'react';
import type { Card as CardData } from '../api/board.ts';
import { clock, span } from '../text/time.ts';
import { AgentTile } from '../ui/agent-tile.tsx';
import { AvatarStack } from '../ui/avatar-stack.tsx';
import { Band } from '../ui/band.tsx';
import { Card, CardBlocked, CardBranch, CardHead, CardNow } from '../ui/card.tsx';
import { Diffstat } from '../ui/diffstat.tsx';
import { KeyLabel } from '../ui/key-label.tsx';
import { LeaseRing } from '../ui/lease-ring.tsx';
import { LabelTag, Meta } from '../ui/meta.tsx';
import { PriorityIcon } from '../ui/priority-icon.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { StepBar } from '../ui/step-bar.tsx';
import { pageClock } from '../ui/use-clock.ts';
import { Answers } from './answers.tsx';
import { barOf, hasFailed, hasStalled, isToRead, leaseOf, workerOf } from './card-looks.ts';
import { useDraggable } from './drag.ts';
import { useRecent } from './recent.ts';

const RING_WORDS = {
  claimed: 'works on it',
  waiting: 'waits for you',
  quiet: 'is quiet',
  stalled: 'has stalled',
  lost: 'is lost',
} as const;

interface PartProps {
  readonly card: CardData;
}

function Who({ card }: PartProps) {
  const worker = workerOf(card);
  const lease = leaseOf(card, pageClock.now());
  const people = card.people.map(({ id, name }) => ({ kind: 'person' as const, id, name }));
  if (worker === null) return people.length === 0 ? null : <AvatarStack who={people} />;
  if (lease === null) return <AgentTile id={worker.id} name={worker.name} />;
  const label =
    card.claim === null
      ? `${worker.name} ${RING_WORDS[lease]}`
      : `${worker.name} ${RING_WORDS[lease]}, until ${clock(card.claim.expires_at)}`;
  return (
    <LeaseRing
      id={worker.id}
      name={worker.name}
      state={lease}
      from={card.claim?.claimed_at ?? card.run?.started_at}
      until={card.claim?.expires_at}
      label={label}
    />
  );
}

/** What an agent does now, and how far it is. Ended runs show it only while they are of interest: when they failed. */
function Progress({ card }: PartProps) {
  const bar = barOf(card);
  const { run } = card;
  if (bar === null || run === null || (run.status !== 'running' && !hasFailed(card))) return null;
  const silent = run.status === 'running' && run.liveness === 'quiet';
  const since = silent ? ` · quiet ${span(pageClock.now() - Date.parse(run.seen_at))}` : '';
  return (
    <>
      <CardNow text={`${run.steps.current ?? ''}${since}`} ended={run.steps.done} all={run.steps.total} />
      <StepBar steps={bar} />
    </>
  );
}

function Foot({ card }: PartProps) {
  const { criteria, unread_messages, attempt } = card;
  return (
    <footer>
      {card.labels.map(({ id, name }) => (
        <LabelTag key={id} id={id} name={name} />
      ))}
      <span className="grow" />
      {criteria.total === 0 ? null : (
        <Meta icon="criteria" title="Acceptance criteria" full={criteria.done === criteria.total}>
          {criteria.done}/{criteria.total}
        </Meta>
      )}
      {unread_messages === 0 ? null : (
        <Meta icon="message" title="Messages that the agent has not read">
          {unread_messages}
        </Meta>
      )}
      {attempt !== null && card.run?.status !== 'running' && attempt.added + attempt.removed > 0 ? (
        <Diffstat added={attempt.added} removed={attempt.removed} />
      ) : null}
      <RelativeTime at={card.updated_at} since="changed" />
    </footer>
  );
}

function Bands({ card }: PartProps) {
  const { question, attempt, run, claim } = card;
  if (question !== null) {
    return (
      <Band kind="you" actions={<Answers question={question} />}>
        <b>Needs you</b> {question.text}
      </Band>
    );
  }
  if (hasFailed(card)) {
    return (
      <Band kind="fail">
        <b>Failed</b> <code>{attempt?.failure ?? 'without a reason'}</code>
      </Band>
    );
  }
  if (isToRead(card)) {
    return (
      <Band kind="review">
        <b>Review</b> {attempt !== null && attempt.branch === null ? 'Ready to read: nothing changed' : 'Ready to read'}
      </Band>
    );
  }
  if (!hasStalled(card) || run === null) return null;
  const returns = claim === null ? '' : ` Claim returns at ${clock(claim.expires_at)}.`;
  return (
    <Band kind="stall">
      <b>Stalled</b> No sign of life for {span(pageClock.now() - Date.parse(run.seen_at))}.{returns}
    </Band>
  );
}

export interface TaskCardProps {
  readonly card: CardData;
  readonly open?: boolean;
  readonly selected?: boolean;
  readonly onOpen: (card: CardData) => void;
}

/** A task on the board. Parts that it lacks take no space. */
export const TaskCard = memo(function TaskCard({ card, open = false, selected = false, onOpen }: TaskCardProps) {
  const key = card.key ?? card.task_id.slice(0, 8);
  const element = useRef<HTMLElement>(null);
  const isDragged = useDraggable(element, card);
  const by = useRecent(card.task_id);
  return (
    <Card
      ref={element}
      label={`${key} ${card.title}`}
      data-testid={`card-${key}`}
      data-task={card.task_id}
      open={open}
      selected={selected}
      glow={by !== undefined}
      dragged={isDragged}
      onClick={() => onOpen(card)}
    >
      <CardHead
        priority={<PriorityIcon priority={card.priority} />}
        taskKey={key}
        by={by}
        marks={
          card.children.total === 0 ? null : (
            <Meta icon="subtask" title="Sub-tasks">
              {card.children.done}/{card.children.total}
            </Meta>
          )
        }
      >
        <Who card={card} />
      </CardHead>
      <h3>{card.title}</h3>
      <Progress card={card} />
      {card.blocked_by.length === 0 ? null : (
        <CardBlocked>
          Blocked by{' '}
          {card.blocked_by.map((each) => (
            <KeyLabel key={each} value={each} />
          ))}
        </CardBlocked>
      )}
      <Foot card={card} />
      {card.attempt?.branch ? <CardBranch>{card.attempt.branch}</CardBranch> : null}
      <Bands card={card} />
    </Card>
  );
});
