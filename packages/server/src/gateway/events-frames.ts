import type { Event } from '#domain/event';
import type { FeedEntry, Run, Step } from '#domain/run';
import { visibleJson } from '#domain/visible-text';
import { entryOf, runOf, stepOf } from '#tools/executions/present';
import { rfc3339 } from '#tools/time';

/** One event to send. All followers get the same object, so a transport encodes it once. */
export interface Frame {
  /** The id with which the follower resumes. */
  readonly seq: number;
  readonly kind: string;
  readonly json: string;
}

// The casts name what `services/runs/run-events.ts` has put into events of these kinds.
const PRESENTED: Readonly<Record<string, (data: unknown) => unknown>> = {
  execution: (data) => runOf(data as Run),
  step: (data) => stepOf(data as Step),
  feed: (data) => entryOf(data as FeedEntry),
};

function dataOf({ kind, data }: Event): unknown {
  const [noun = ''] = kind.split('.');
  try {
    return data === null ? null : (PRESENTED[noun]?.(data) ?? null);
  } catch {
    // Another version wrote it: without its data the follower asks for the thing. An error would end the whole stream.
    return null;
  }
}

const frame = (kind: string, seq: number, data: unknown): Frame => ({
  seq,
  kind,
  json: visibleJson(JSON.stringify(data)),
});

export const eventFrame = (event: Event): Frame =>
  frame(event.kind, event.seq, {
    seq: event.seq,
    at: rfc3339(event.at),
    kind: event.kind,
    entity_id: event.entity_id,
    execution_id: event.execution_id,
    task_id: event.work_item_id ?? null,
    project_id: event.audience.project_id,
    actor: event.actor,
    data: dataOf(event),
  });

/** Why a follower must read everything again: the events after its number are gone, the number never existed, or an event cannot be read. */
export type ResetReason = 'expired' | 'unknown' | 'unreadable';

export const resetFrame = (reason: ResetReason, head: number): Frame => frame('reset', head, { reason, head });

/** The number up to which a follower has read, for resuming. */
export const positionFrame = (seq: number): Frame => frame('position', seq, { seq });
