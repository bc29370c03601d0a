import { isDeepStrictEqual } from 'node:util';
import { send } from '../../test/e2e/http.ts';
import type { CallResult } from './errand.ts';
import type { Shot } from './load.ts';

/** Checks the answer of a server: one that answers something else, or an error, would be fast for the wrong reason. */
export async function mustAnswer(
  name: string,
  { url, headers, body }: Shot,
  expected: Pick<CallResult, 'structuredContent'>,
): Promise<void> {
  const { origin, pathname } = new URL(url);
  const { text } = await send(origin, { path: pathname, headers, body });
  const { result } = JSON.parse(text) as { result?: CallResult };
  if (!isDeepStrictEqual(result?.structuredContent, expected.structuredContent)) throw new Error(`${name}: ${text}`);
}
