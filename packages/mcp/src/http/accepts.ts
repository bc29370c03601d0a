/** The media types that the client reads: JSON, a stream, or both. */
export type Accepts = 'json' | 'stream' | 'either';

/** A weight of zero: the client does not read this type. */
const REFUSED = /;\s*q=0(?:\.0*)?\s*$/;
const USUAL = 'application/json, text/event-stream';

/** True when an `Accept` header accepts this media type. The names are compared without case. */
export function reads(header: string | undefined, type: 'application/json' | 'text/event-stream'): boolean {
  const accepted = (header?.toLowerCase() ?? '').split(',').filter((range) => !REFUSED.test(range));
  return [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*'].some((name) =>
    accepted.some((range) => range.includes(name)),
  );
}

/** Reads an `Accept` header; null when the client reads neither type. Without a header the client reads JSON. */
export function acceptsOf(header: string | undefined): Accepts | null {
  if (header === undefined) return 'json';
  if (header === USUAL) return 'either';
  const json = reads(header, 'application/json');
  const stream = reads(header, 'text/event-stream');
  if (json) return stream ? 'either' : 'json';
  return stream ? 'stream' : null;
}
