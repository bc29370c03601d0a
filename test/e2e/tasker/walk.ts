import { expect } from 'vitest';
import { mcpPost } from '../drivers/mcp-http.ts';
import { rpc } from '../drivers/mcp-messages.ts';
import { resultOf } from '../drivers/mcp-wire.ts';
import { createRandom } from '../durability/random.ts';
import { anItem } from './site.ts';
import type { Tracker } from './tracker.ts';

export const MAX_CHARACTERS = 4_000;

export interface Halves {
  readonly value: Readonly<Record<string, unknown>>;
  /** The length of each half of the answer: the text, and the structured content as JSON. */
  readonly characters: readonly [text: number, structured: number];
}

/** Makes one call, and measures its answer as received. */
export async function measured(origin: string, token: string, tool: string, args: object): Promise<Halves> {
  const message = rpc('2025-11-25', 1, 'tools/call', { name: tool, arguments: args });
  const { text } = await mcpPost(origin, '/mcp/tasker', token, '2025-11-25', message);
  const result = resultOf('2025-11-25', message, text);
  expect(result.isError, text.slice(0, 500)).not.toBe(true);
  const [content] = result.content as readonly { readonly text: string }[];
  const value = result.structuredContent as Record<string, unknown>;
  return { value, characters: [content?.text.length ?? 0, JSON.stringify(value).length] };
}

const WORDS = ['deploy', 'search', 'token', 'cards', 'layout', 'Überblick', '検索', 'walk', 'project', 'wire'];

/** Adds items directly to the store, some with the word in the title, some only in the text. Returns their ids. */
export async function plantItems(
  { store, home }: Pick<Tracker, 'store' | 'home'>,
  count: number,
  seed: number,
): Promise<readonly string[]> {
  const random = createRandom(seed);
  const word = () => WORDS[random.between(0, WORDS.length - 1)] ?? '';
  const items = Array.from({ length: count }, (_, index) => {
    const title = `${random.next() < 0.5 ? 'walking' : 'standing'} ${word()} ${word()} ${index}`;
    return { ...anItem(home, title), description: `walking text ${word()}` };
  });
  for (let at = 0; at < count; at += 1_000) {
    await store.transaction(async (tx) => {
      for (const item of items.slice(at, at + 1_000)) await tx.workItems.insert(item);
    });
  }
  return items.map(({ id }) => id);
}

export interface Walk {
  readonly seen: readonly string[];
  readonly pages: number;
  readonly longest: number;
}

/** Follows `next_cursor` of a search to the end. `between` is called after every page. */
export const walk = (
  tracker: Pick<Tracker, 'server'>,
  token: string,
  args: object,
  between: (page: number) => Promise<unknown>,
): Promise<Walk> => walkList(tracker, token, ['tasker_search_issues', 'issues', args], between);

/** Follows `next_cursor` of a tool with rows in this field. */
export async function walkList(
  { server }: Pick<Tracker, 'server'>,
  token: string,
  [tool, rows, args]: readonly [tool: string, rows: string, args: object],
  between: (page: number) => Promise<unknown> = async () => {},
): Promise<Walk> {
  const seen: string[] = [];
  let [pages, longest] = [0, 0];
  let cursor: unknown;
  do {
    const { value, characters } = await measured(server.origin, token, tool, {
      ...args,
      ...(cursor !== undefined && { cursor }),
    });
    seen.push(...(value[rows] as readonly { readonly id: string }[]).map(({ id }) => id));
    cursor = value.next_cursor;
    longest = Math.max(longest, ...characters);
    await between(++pages);
  } while (cursor !== undefined);
  return { seen, pages, longest };
}
