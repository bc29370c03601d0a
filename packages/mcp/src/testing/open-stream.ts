import { expect } from 'vitest';
import type { Message } from './messages.ts';
import { messagesIn, type TestHttp } from './open-http.ts';

export interface TestStream {
  readonly status: number;
  /** Resolves when the server or the client has ended the stream. */
  readonly over: Promise<void>;
  readonly lastEventId: () => string;
  readonly messages: () => readonly unknown[];
  /** Waits until there are exactly `count` messages. */
  readonly read: (count: number) => Promise<readonly unknown[]>;
  readonly close: () => void;
}

/** Opens a stream, and reads its messages as they arrive. */
export async function openStream(http: TestHttp, init: RequestInit): Promise<TestStream> {
  const closing = new AbortController();
  const response = await http.fetch({ ...init, signal: closing.signal });
  let text = '';
  const over = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  })().catch(() => undefined);
  return {
    status: response.status,
    over,
    lastEventId: () => [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '',
    messages: () => messagesIn(text),
    read: async (count) => {
      await expect.poll(() => messagesIn(text)).toHaveLength(count);
      return messagesIn(text);
    },
    close: () => closing.abort(),
  };
}

type Headers = Readonly<Record<string, string>>;

export const posted = ({ body, headers }: Message, more: Headers = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers, ...more },
});

export const listening = (more: Headers): RequestInit => ({
  method: 'GET',
  headers: { accept: 'text/event-stream', ...more },
});
