const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60 * 60 * 1000;

/** The time in a `Retry-After`, given in seconds or as a date; NaN when it is neither. */
function retryAfterMs(value: string, now: number): number {
  const seconds = value.trim() === '' ? Number.NaN : Number(value);
  return Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000;
}

function askedMs(headers: Headers, now: number): number {
  const after = retryAfterMs(headers.get('retry-after') ?? '', now);
  if (!Number.isNaN(after)) return after;
  const reset = Number(headers.get('x-ratelimit-reset') ?? '');
  return reset > 0 ? reset * 1000 - now : 0;
}

/**
 * How long to wait after this many refused tries. The wait grows with the tries whatever Plane asks for, or a
 * Plane that asks for none would get requests without a pause.
 */
export function waitMs(headers: Headers, tries: number, now: number): number {
  const least = MIN_WAIT_MS * 2 ** (tries - 1);
  return Math.min(Math.max(askedMs(headers, now), least), MAX_WAIT_MS);
}
