/** What the client reads: one JSON document, a stream, or whichever is sent. */
export type Accepts = 'json' | 'stream' | 'either';

const USUAL = 'application/json, text/event-stream';

/** Whether an `Accept` header takes this media type. Names of media types have no case. */
export function reads(header: string | undefined, type: 'application/json' | 'text/event-stream'): boolean {
  const accepted = header?.toLowerCase() ?? '';
  return [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*'].some((name) => accepted.includes(name));
}

/** Null when the client reads neither. A client that says nothing reads JSON. */
export function acceptsOf(header: string | undefined): Accepts | null {
  if (header === undefined) return 'json';
  if (header === USUAL) return 'either';
  const json = reads(header, 'application/json');
  const stream = reads(header, 'text/event-stream');
  if (json) return stream ? 'either' : 'json';
  return stream ? 'stream' : null;
}
