import { type IncomingMessage, request } from 'node:http';

/** Resolves with the head of the answer; the body is still unread. Rejects when none comes before the signal. */
export async function ask(asked: Request, signal: AbortSignal): Promise<IncomingMessage> {
  const { url, method, headers } = asked;
  const body = await asked.text();
  return await new Promise((resolve, reject) => {
    // Not `fetch`, which refuses some ports. Connections are not reused: the server may close one just when it is used again.
    request(url, {
      method,
      headers: { ...Object.fromEntries(headers), 'accept-encoding': 'identity' },
      signal,
      agent: false,
    })
      .once('response', resolve)
      .on('error', reject)
      // An answer that changes the protocol closes without an error; without this, the wait would never end.
      .once('close', () => reject(new Error('closed without an answer')))
      .end(body);
  });
}
