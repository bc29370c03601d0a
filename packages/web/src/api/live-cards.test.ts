import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { aBoard, aCard, aColumn } from '../testing/a-board.ts';
import type { Board } from './board.ts';
import type { Change } from './change.ts';
import { createCardRefresher } from './live-cards.ts';
import { SHOWN_FIRST } from './shown-first.ts';

const boardWith = (title: string): Board => ({
  ...aBoard(aColumn('todo', [aCard('A-1', { title }), aCard('A-2')])),
  project_id: 'p1',
});
const changeOf = (task_id: string, kind = 'work_item.updated'): Change => ({
  ...{
    seq: 1,
    at: '',
    kind,
    entity_id: task_id,
    execution_id: null,
    task_id,
    project_id: 'p1',
    actor: null,
    data: null,
  },
});

/** What a server answers about single cards. A test may hold the answer back. */
const server = { title: 'New', asked: [] as string[], gate: Promise.resolve() };

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(server, { title: 'New', asked: [], gate: Promise.resolve() });
  vi.stubGlobal('fetch', async (url: string) => {
    server.asked.push(...new URL(url, 'http://server').searchParams.getAll('task_ids'));
    const { title, gate } = server;
    await gate;
    const answer = { ...aBoard({ ...aColumn('todo', [aCard('A-1', { title })]), count: 2 }), project_id: 'p1' };
    return new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page that shows a board. */
async function aPage() {
  const client = new QueryClient();
  const read = vi.fn(() => Promise.resolve(boardWith('Old')));
  const queryKey = ['board', 'A'];
  const leave = new QueryObserver(client, { queryKey, queryFn: read, staleTime: Number.POSITIVE_INFINITY }).subscribe(
    () => {},
  );
  await vi.advanceTimersByTimeAsync(10);
  const title = () => client.getQueryData<Board>(queryKey)?.columns[0]?.cards[0]?.title;
  return { client, queryKey, read, leave, title, hear: createCardRefresher(client) };
}

it('reads only the changed cards, together, and not the board', async () => {
  const { hear, read, title } = await aPage();

  hear(changeOf('A-1'));
  hear(changeOf('A-1', 'step.created'));
  hear(changeOf('A-1', 'feed.added'));
  await vi.advanceTimersByTimeAsync(1_000);

  expect(title()).toBe('New');
  expect(server.asked).toEqual(['A-1']);
  expect(read).toHaveBeenCalledTimes(1);
});

it('does not put an answer over what was shown after it was asked for, but asks again', async () => {
  const { client, queryKey, hear, title } = await aPage();
  const held = Promise.withResolvers<void>();
  Object.assign(server, { title: 'Late', gate: held.promise });

  hear(changeOf('A-1'));
  await vi.advanceTimersByTimeAsync(50);
  client.setQueryData(queryKey, boardWith('Mine'));
  Object.assign(server, { title: 'Newest', gate: Promise.resolve() });
  held.resolve();
  await vi.advanceTimersByTimeAsync(0);
  const between = title();
  await vi.advanceTimersByTimeAsync(1_000);

  expect(between).toBe('Mine');
  expect(title()).toBe('Newest');
});

it('reads a card again that changed while the board was first read', async () => {
  const client = new QueryClient();
  const first = Promise.withResolvers<Board>();
  const queryKey = ['board', 'A'];
  new QueryObserver(client, { queryKey, queryFn: () => first.promise }).subscribe(() => {});

  createCardRefresher(client)(changeOf('A-1'));
  await vi.advanceTimersByTimeAsync(10_000);
  first.resolve(boardWith('Old'));
  await vi.advanceTimersByTimeAsync(1_000);

  expect(client.getQueryData<Board>(queryKey)?.columns[0]?.cards[0]?.title).toBe('New');
});

it('waits for an edit that is shown and not yet written', async () => {
  const { client, hear } = await aPage();
  const writing = Promise.withResolvers<void>();
  void new MutationObserver(client, { mutationKey: SHOWN_FIRST, mutationFn: () => writing.promise }).mutate();

  hear(changeOf('A-1'));
  await vi.advanceTimersByTimeAsync(1_000);
  const whileWriting = server.asked.length;
  writing.resolve();
  await vi.advanceTimersByTimeAsync(1_000);

  expect(whileWriting).toBe(0);
  expect(server.asked).toEqual(['A-1']);
});

it('reads the whole board when too many cards have changed or the cards cannot be read', async () => {
  const { hear, read } = await aPage();

  for (let at = 0; at < 101; at += 1) hear(changeOf(`A-${at}`));
  await vi.advanceTimersByTimeAsync(1_000);
  const afterMany = read.mock.calls.length;
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('cut')));
  hear(changeOf('A-1'));
  await vi.advanceTimersByTimeAsync(1_000);

  expect(afterMany).toBe(2);
  expect(read).toHaveBeenCalledTimes(3);
});

it('asks for nothing while nobody looks, and marks the board to be read by who does', async () => {
  const { client, queryKey, hear, leave } = await aPage();
  leave();

  hear(changeOf('A-1'));
  await vi.advanceTimersByTimeAsync(1_000);

  expect(server.asked).toEqual([]);
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true);
});
