import { ErrandError } from '#errors';
import { createRedaction } from './secrets.ts';

const MAX_WORDS = 400;
const MAX_FIELDS = 20;

/** Plane's field names, by those of Errand's tools. */
const OUR_NAMES: Readonly<Record<string, string>> = {
  state: 'state_id',
  parent: 'parent_id',
  assignees: 'assignee_ids',
  labels: 'label_ids',
};

/** Collects every text in a refusal, in any form: `{field: [words]}`, `{field: {0: [words]}}`, `{detail}`. */
function wordsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > 3) return [];
  return Object.values(value).flatMap((each) => wordsIn(each, depth + 1));
}

const isAboutAll = (name: string): boolean => ['non_field_errors', 'detail', 'error'].includes(name);

const MAYBE_DONE =
  'the change may or may not be done. Repeat the call with the same idempotency_key: it is not done twice.';

interface Refused {
  readonly method: string;
  /** Whether a change was sent: it may have been done despite the failure. */
  readonly may_be_done: boolean;
}

/** Plane's failures in words for an agent, without its address and key. */
export function createFailures(access: Parameters<typeof createRedaction>[0]) {
  const redacted = createRedaction(access);
  const safe = (text: string): string => redacted(text).slice(0, MAX_WORDS);

  const unavailable = (message: string, cause?: unknown): ErrandError =>
    new ErrandError('tracker_unavailable', message, cause === undefined ? {} : { cause });

  const closedDoors = new WeakSet<ErrandError>();
  const closedDoor = (): ErrandError => {
    const failure = unavailable(
      'Plane does not let Errand in. Ask the operator to check the API key and that its user is a member of the project.',
    );
    closedDoors.add(failure);
    return failure;
  };

  const invalid = (body: unknown, isChange: boolean): ErrandError => {
    const entries = Object.entries(typeof body === 'object' && body !== null ? body : {}).slice(0, MAX_FIELDS);
    const said = entries.map(([name, value]) => ({
      field: isAboutAll(name) ? null : (OUR_NAMES[name] ?? safe(name)),
      problem: safe(wordsIn(value).join(' ')),
    }));
    const words = said.map(({ field, problem }) => (field === null ? problem : `${field}: ${problem}`));
    const message = `Plane refused ${isChange ? 'the change' : 'to answer'}. ${words.join('; ')}`;
    return new ErrandError('validation_error', message.slice(0, MAX_WORDS), {
      details: { fields: said.filter(({ field }) => field !== null) },
      hint: 'Mend what Plane names and repeat the call.',
    });
  };

  return {
    unreachable: (mayBeDone: boolean, cause: unknown): ErrandError =>
      unavailable(
        mayBeDone ? `Plane did not answer, so ${MAYBE_DONE}` : 'Plane did not answer. Repeat the call in a moment.',
        cause,
      ),
    outOfTime: (): ErrandError =>
      unavailable(
        'Plane took too long for all that the call needs, and part of it may be done. Repeat the call with the same idempotency_key.',
      ),
    garbage: (cause: unknown, mayBeDone: boolean): ErrandError =>
      unavailable(
        mayBeDone
          ? `Plane answered something that Errand does not understand, so ${MAYBE_DONE}`
          : 'Plane answered something that Errand does not understand. Ask the operator to look at it.',
        cause,
      ),
    tooMany: (retry_after_ms: number): ErrandError =>
      new ErrandError('rate_limited', 'Plane takes no more requests for now. Wait, then repeat the call.', {
        retry_after_ms,
      }),
    notThere: (): ErrandError => new ErrandError('not_found', 'There is no such thing in Plane.'),
    changedMeanwhile: (): ErrandError =>
      new ErrandError('version_conflict', 'Somebody changed the card in Plane in the meantime. Read it again first.'),
    notKept: (): ErrandError =>
      new ErrandError(
        'version_conflict',
        'Somebody changed the card in Plane at the same moment, and this change is not there. Read the card, and repeat the change if it still makes sense, with a new idempotency_key.',
      ),
    unreadableBlocks: (): ErrandError =>
      new ErrandError(
        'conflict',
        'The structured blocks of this card were edited in Plane into more than blocks can hold. Ask a person to shorten them there.',
      ),
    /** Whether Plane only refused access to this project. */
    isClosedDoor: (error: unknown): boolean => error instanceof ErrandError && closedDoors.has(error),
    refused: (status: number, body: unknown, { method, may_be_done }: Refused): ErrandError => {
      if (status === 400) return invalid(body, method !== 'GET');
      if (status === 413) return new ErrandError('validation_error', 'That is too much for Plane. Send less.');
      if (status === 401 || status === 403) return closedDoor();
      if (status >= 300 && status < 400)
        return unavailable('Plane sends Errand elsewhere. Ask the operator to set PLANE_BASE_URL to its own address.');
      if (status === 404)
        return unavailable('Plane does not know the address. Ask the operator to check its address and version.');
      return unavailable(
        may_be_done ? `Plane failed, so ${MAYBE_DONE}` : 'Plane could not do it. Repeat the call in a moment.',
      );
    },
  };
}
