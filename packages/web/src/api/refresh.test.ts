import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRefresher } from './refresh.ts';
import { SHOWN_FIRST } from './shown-first.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A page that shows a board, and counts how often it was read. */
function aPage() {
  const client = new QueryClient();
  const read = vi.fn(() => Promise.resolve({ project_id: 'p1' }));
  new QueryObserver(client, { queryKey: ['board', 'SHO'], queryFn: read }).subscribe(() => undefined);
  return { client, read, refresh: createRefresher(client) };
}

it('reads once after several changes that come together', async () => {
  const { read, refresh } = aPage();
  await vi.advanceTimersByTimeAsync(10);

  for (let change = 0; change < 20; change += 1) refresh([['board', 'p1']]);
  await vi.advanceTimersByTimeAsync(5_000);

  expect(read).toHaveBeenCalledTimes(2);
});

it('reads nothing for a change of another project', async () => {
  const { read, refresh } = aPage();
  await vi.advanceTimersByTimeAsync(10);

  refresh([['board', 'p2']]);
  await vi.advanceTimersByTimeAsync(5_000);

  expect(read).toHaveBeenCalledTimes(1);
});

it('waits for an edit that is shown and not yet written, but not for ever', async () => {
  const { client, read, refresh } = aPage();
  await vi.advanceTimersByTimeAsync(10);
  const writing = Promise.withResolvers<void>();
  const edit = new MutationObserver(client, { mutationKey: SHOWN_FIRST, mutationFn: () => writing.promise });
  void edit.mutate();

  refresh([['board', 'p1']]);
  await vi.advanceTimersByTimeAsync(1_000);
  const whileWriting = read.mock.calls.length;
  await vi.advanceTimersByTimeAsync(2_000);

  expect(whileWriting).toBe(1);
  expect(read).toHaveBeenCalledTimes(2);
  writing.resolve();
});
