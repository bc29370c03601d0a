import { visible } from '#domain/visible-text';
import { ErrandError } from '#errors';

const MOST_WORDS = 400;
const MOST_FIELDS = 20;

/** Names of Plane's fields that are other ones in Errand's tools. */
const OUR_NAMES: Readonly<Record<string, string>> = {
  state: 'state_id',
  parent: 'parent_id',
  assignees: 'assignee_ids',
  labels: 'label_ids',
};

/** Every text in an answer that refuses, whatever its form: `{field: [words]}`, `{field: {0: [words]}}`, `{detail}`. */
function wordsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > 3) return [];
  return Object.values(value).flatMap((each) => wordsIn(each, depth + 1));
}

const isAboutAll = (name: string): boolean => ['non_field_errors', 'detail', 'error'].includes(name);

/** Failures of a Plane in words for an agent. `secrets` are what must not be in them. */
export function createFailures(secrets: readonly string[]) {
  const safe = (text: string): string =>
    visible(secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text)).slice(0, MOST_WORDS);

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

  const invalid = (body: unknown): ErrandError => {
    const entries = Object.entries(typeof body === 'object' && body !== null ? body : {}).slice(0, MOST_FIELDS);
    const said = entries.map(([name, value]) => ({
      field: isAboutAll(name) ? null : (OUR_NAMES[name] ?? safe(name)),
      problem: safe(wordsIn(value).join(' ')),
    }));
    const words = said.map(({ field, problem }) => (field === null ? problem : `${field}: ${problem}`));
    return new ErrandError('validation_error', safe(`Plane refused the change. ${words.join('; ')}`), {
      details: { fields: said.filter(({ field }) => field !== null) },
      hint: 'Mend what Plane names and repeat the call.',
    });
  };

  return {
    /** `isChange`: it may have been done all the same. */
    unreachable: (isChange: boolean, cause: unknown): ErrandError =>
      unavailable(
        isChange
          ? 'Plane did not answer, so the change may or may not be done. Repeat the call with the same idempotency_key: it is not done twice.'
          : 'Plane did not answer. Repeat the call in a moment.',
        cause,
      ),
    garbage: (cause: unknown): ErrandError =>
      unavailable('Plane answered something that Errand does not understand. Ask the operator to look at it.', cause),
    tooMany: (retry_after_ms: number): ErrandError =>
      new ErrandError('rate_limited', 'Plane takes no more requests for now. Wait, then repeat the call.', {
        retry_after_ms,
      }),
    notThere: (): ErrandError => new ErrandError('not_found', 'There is no such thing in Plane.'),
    changedMeanwhile: (): ErrandError =>
      new ErrandError('version_conflict', 'Somebody changed the card in Plane in the meantime. Read it again first.'),
    unreadableBlocks: (): ErrandError =>
      new ErrandError(
        'conflict',
        'The structured blocks of this card were edited in Plane into more than blocks can hold. Ask a person to shorten them there.',
      ),
    /** Whether it was only this project that Plane does not let Errand into. */
    isClosedDoor: (error: unknown): boolean => error instanceof ErrandError && closedDoors.has(error),
    refused: (status: number, body: unknown): ErrandError => {
      if (status === 400) return invalid(body);
      if (status === 413) return new ErrandError('validation_error', 'That is too much for Plane. Send less.');
      if (status === 401 || status === 403) return closedDoor();
      if (status >= 300 && status < 400)
        return unavailable('Plane sends Errand elsewhere. Ask the operator to set PLANE_BASE_URL to its own address.');
      if (status === 404)
        return unavailable('Plane does not know the address. Ask the operator to check its address and version.');
      return unavailable('Plane could not do it. Repeat the call in a moment.');
    },
  };
}
