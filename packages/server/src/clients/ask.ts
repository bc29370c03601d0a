import { type IncomingMessage, request } from 'node:http';

/** The head of an answer, with its body still to be read. Rejects where there is none before the signal. */
export async function ask(asked: Request, signal: AbortSignal): Promise<IncomingMessage> {
  const { url, method, headers } = asked;
  const body = await asked.text();
  return await new Promise((resolve, reject) => {
    // Not `fetch`, which never connects to some ports. No connection is kept: the other end may close it just as it is used again.
    request(url, {
      method,
      headers: { ...Object.fromEntries(headers), 'accept-encoding': 'identity' },
      signal,
      agent: false,
    })
      .once('response', resolve)
      .on('error', reject)
      // Closed without an error by an answer that changes the protocol, it would be waited for without end.
      .once('close', () => reject(new Error('closed without an answer')))
      .end(body);
  });
}
