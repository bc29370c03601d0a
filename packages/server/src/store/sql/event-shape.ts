import { isUuid } from '#domain/bytes';
import type { EventDraft } from '#domain/event';

/** An event in three parts: `shape` is equal for all events of one kind in a workspace; then its ids; then the rest. */
export interface Shaped {
  readonly shape: string;
  /** Each id once, without dashes, one after the other. */
  readonly ids: string;
  /** The JSON of `data` and of the app's user; null when it has neither. */
  readonly rest: string | null;
}

interface Rest extends Pick<EventDraft['audience'], 'app_user'> {
  readonly data?: unknown;
}

/** In a shape: the id is null, or there is no such field. Else it has the place of the id among the ids. */
const [NULL, ABSENT] = ['n', '-'];
const PLACES = '0123456789';
const ID_DIGITS = 32;

/** The fields with an id. Their order never changes: events are stored by it. */
const idsOf = ({ audience, actor, ...event }: EventDraft): readonly (string | null | undefined)[] => [
  event.entity_id,
  event.execution_id,
  event.work_item_id,
  audience.project_id,
  audience.user_id,
  audience.agent_id,
  audience.service_id,
  audience.attempt_id,
  actor?.user_id,
  actor?.agent_id,
];

const restOf = ({ data, audience: { app_user } }: EventDraft): string | null => {
  if (data === null && app_user === undefined) return null;
  const rest: Rest = { ...(app_user !== undefined && { app_user }), ...(data !== null && { data }) };
  return JSON.stringify(rest);
};

/** Null for an event with an id that is no UUID: it is stored as it is. */
export function shapeOf(event: EventDraft): Shaped | null {
  const { kind, audience } = event;
  const ids: string[] = [];
  let slots = '';
  for (const id of idsOf(event)) {
    if (id === undefined) slots += ABSENT;
    else if (id === null) slots += NULL;
    else {
      let place = ids.indexOf(id);
      if (place === -1) {
        if (!isUuid(id)) return null;
        place = ids.push(id) - 1;
      }
      slots += PLACES[place];
    }
  }
  if (`${kind}${event.workspace_id}`.includes(' ')) return null;
  const shape = `${event.workspace_id} ${kind} ${audience.scope} ${audience.also?.join() ?? ABSENT} ${slots}`;
  return { shape, ids: ids.join('').replaceAll('-', ''), rest: restOf(event) };
}

/** Throws when the parts do not fit: the row is damaged. */
export function eventOf({ shape, ids, rest }: Shaped): EventDraft {
  const [workspace_id, kind = '', scope, also = ABSENT, slots = ''] = shape.split(' ');
  const at = (slot: number): string | null | undefined => {
    const place = slots[slot];
    if (place === ABSENT) return undefined;
    if (place === NULL) return null;
    const id = ids.substr(PLACES.indexOf(place ?? '') * ID_DIGITS, ID_DIGITS);
    if (place === undefined || id.length < ID_DIGITS) throw new Error('The ids of an event are missing.');
    return `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`;
  };
  // Only `shapeOf` writes it.
  const { app_user, data = null } = rest === null ? {} : (JSON.parse(rest) as Rest);
  const [work_item_id, attempt_id, actor] = [at(2), at(7), at(8)];
  const draft = {
    workspace_id,
    kind,
    entity_id: at(0),
    execution_id: at(1),
    ...(work_item_id !== undefined && { work_item_id }),
    audience: {
      scope,
      ...(also !== ABSENT && { also: also === '' ? [] : also.split(',') }),
      project_id: at(3),
      user_id: at(4),
      ...(app_user !== undefined && { app_user }),
      agent_id: at(5),
      service_id: at(6),
      ...(attempt_id !== undefined && { attempt_id }),
    },
    actor: actor === undefined ? null : { user_id: actor, agent_id: at(9) },
    data,
  };
  // The slots are those of the fields of `idsOf`, which had these types.
  return draft as unknown as EventDraft;
}
