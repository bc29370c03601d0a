import type { Change } from './change.ts';
import { createEventReader, type ServerEvent } from './sse.ts';

const PATH = '/api/v1/events';
/** The pause before a cut stream is opened again, at first. */
const FIRST_WAIT_MS = 250;
/** The longest pause between two tries. */
const MAX_WAIT_MS = 5_000;
/** The server sends a line every 15 seconds: a stream that is silent for longer is cut. */
const SILENCE_MS = 35_000;

export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'ended';

export interface LiveListener {
  readonly onState: (state: LiveState) => void;
  readonly onChange: (change: Change) => void;
  /** Missed changes can no longer be had: everything that is shown must be read again. */
  readonly onReset: () => void;
}

/**
 * The event stream of the browser: follows the changes of the server until it is closed. A cut stream is opened again
 * after a pause that doubles, and goes on after the last event; not after a 401.
 */
export function followChanges({ onState, onChange, onReset }: LiveListener): () => void {
  const closed = new AbortController();
  let after: string | null = null;
  let wait = FIRST_WAIT_MS;

  function take({ id, event, data }: ServerEvent): boolean {
    if (id !== null) after = id;
    wait = FIRST_WAIT_MS;
    if (event === 'end') return false;
    onState('live');
    // The casts name what the server puts into events of these names.
    if (event === 'reset') {
      after = String((JSON.parse(data) as { readonly head: number }).head);
      onReset();
    } else if (event !== 'position') onChange(JSON.parse(data) as Change);
    return true;
  }

  /** Resolves with false when the server has ended the stream for good. */
  async function connect(): Promise<boolean> {
    const silent = new AbortController();
    let timer = setTimeout(() => silent.abort(), SILENCE_MS);
    try {
      const response = await fetch(after === null ? PATH : `${PATH}?after=${after}`, {
        headers: { accept: 'text/event-stream' },
        signal: AbortSignal.any([closed.signal, silent.signal]),
      });
      if (response.status === 401) return false;
      if (!response.ok || response.body === null) return true;
      const read = createEventReader();
      for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
        clearTimeout(timer);
        timer = setTimeout(() => silent.abort(), SILENCE_MS);
        if (!read(piece).every(take)) return false;
      }
      return true;
    } catch {
      // The connection failed or was cut.
      return true;
    } finally {
      clearTimeout(timer);
    }
  }

  async function follow(): Promise<void> {
    onState('connecting');
    while (await connect()) {
      if (closed.signal.aborted) return;
      onState('reconnecting');
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(wait * 2, MAX_WAIT_MS);
    }
    if (!closed.signal.aborted) onState('ended');
  }

  void follow();
  return () => closed.abort();
}
