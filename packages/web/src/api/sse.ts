/** One event of a stream of server-sent events. */
export interface ServerEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** Takes the text of a stream in pieces, and returns the events that each piece completes. */
export function createEventReader(): (piece: string) => readonly ServerEvent[] {
  let rest = '';
  return (piece) => {
    // A line that ends with CR LF may be cut between the two.
    const blocks = (rest + piece).replaceAll('\r\n', '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.map(eventIn).filter((event) => event !== null);
  };
}

/** Null for comments, which only keep the connection open. */
function eventIn(block: string): ServerEvent | null {
  let id: string | null = null;
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'id') id = value;
    if (name === 'event') event = value;
    if (name === 'data') data.push(value);
  }
  return data.length === 0 ? null : { id, event, data: data.join('\n') };
}
