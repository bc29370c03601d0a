import type { Event } from '#domain/event';
import type { FeedEntry, Run, Step } from '#domain/run';
import { visibleJson } from '#domain/visible-text';
import { entryOf, executionOf, stepOf } from '#tools/executions/present';
import { rfc3339 } from '#tools/time';

/** One thing to tell. All who hear it get the same object: what a transport makes of it, it makes once. */
export interface Frame {
  /** What the listener comes back with. */
  readonly seq: number;
  readonly kind: string;
  readonly json: string;
}

// The casts name what `services/runs/run-events.ts` has put into events of these kinds.
const PRESENTED: Readonly<Record<string, (data: unknown) => unknown>> = {
  execution: (data) => executionOf(data as Run),
  step: (data) => stepOf(data as Step),
  feed: (data) => entryOf(data as FeedEntry),
};

function dataOf({ kind, data }: Event): unknown {
  const [noun = ''] = kind.split('.');
  try {
    return data === null ? null : (PRESENTED[noun]?.(data) ?? null);
  } catch {
    // Written by another version: without its data the listener asks for the thing, and with an error it hears of nothing any more.
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
    project_id: event.audience.project_id,
    actor: event.actor,
    data: dataOf(event),
  });

/** Why a listener has to ask for everything again: the changes after its number are gone, there never was such a number, or one of them cannot be told. */
export type ResetReason = 'expired' | 'unknown' | 'unreadable';

export const resetFrame = (reason: ResetReason, head: number): Frame => frame('reset', head, { reason, head });

/** Where a listener stands, so that it resumes from there. */
export const positionFrame = (seq: number): Frame => frame('position', seq, { seq });
