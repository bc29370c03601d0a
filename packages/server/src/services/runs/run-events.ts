import type { Caller } from '#domain/caller';
import type { EventDraft } from '#domain/event';
import type { WorkItemId } from '#domain/ids';
import type { FeedEntry, Run, Step } from '#domain/run';

export type Actor = Pick<Caller, 'user_id' | 'agent_id'>;

const actorOf = (actor: Actor | null): EventDraft['actor'] =>
  actor === null ? null : { user_id: actor.user_id, agent_id: actor.agent_id };

/** The board shows a run with its attempt. */
const ON_THE_BOARD = ['board:read'] as const;

function eventOf(
  { id, workspace_id, project_id, work_item_id, user_id, agent_id, service_id, attempt_id }: Run,
  about: Pick<EventDraft, 'kind' | 'entity_id' | 'actor' | 'data'>,
): EventDraft {
  const audience = {
    scope: 'execution:report',
    ...(attempt_id !== null && { also: ON_THE_BOARD }),
    project_id,
    user_id,
    agent_id,
    service_id,
    attempt_id,
  } as const satisfies EventDraft['audience'];
  return {
    workspace_id,
    execution_id: id,
    // That of another tracker has an id of its own form: it is no task of this store, and nobody finds one by it.
    work_item_id: work_item_id as WorkItemId | null,
    audience,
    ...about,
  };
}

/** The event of a changed run; `actor` is null for a timer. */
export const runEvent = (
  what: 'created' | 'updated' | 'quiet' | 'stalled',
  run: Run,
  actor: Actor | null,
): EventDraft =>
  eventOf(run, {
    kind: `execution.${what}`,
    entity_id: run.id,
    actor: actorOf(actor),
    data: run,
  });

/** The event of a run that uses its budget up, or nearly so. */
export const budgetEvent = (what: 'warned' | 'exceeded', run: Run): EventDraft =>
  eventOf(run, { kind: `budget.${what}`, entity_id: run.id, actor: null, data: null });

export const stepEvent = (what: 'created' | 'updated', run: Run, step: Step, actor: Actor | null): EventDraft =>
  eventOf(run, { kind: `step.${what}`, entity_id: step.id, actor: actorOf(actor), data: step });

export const feedEvent = (run: Run, entry: FeedEntry, actor: Actor | null): EventDraft =>
  eventOf(run, { kind: 'feed.added', entity_id: null, actor: actorOf(actor), data: entry });
