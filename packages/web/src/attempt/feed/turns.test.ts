import type { FeedEntry } from 'errand/client';
import { expect, it } from 'vitest';
import { itemsOf } from './feed-items.ts';
import { countsOf, holdsOf, turnsOf } from './turns.ts';

const feed = (...lines: readonly (readonly [kind: FeedEntry['kind'], text: string, second?: number, run?: string])[]) =>
  lines.map(([kind, text, second = 0, execution_id = 'e1'], at): FeedEntry => {
    return { seq: at + 1, execution_id, kind, text, at: new Date(second * 1_000).toISOString() };
  });

const TALK = feed(
  ['status', 'running'],
  ['message', '**First** I read.'],
  ['tool_call', 'read'],
  ['command', 'npm test'],
  ['output', 'ok'],
  ['message', 'Then I write.', 10],
  ['edit', 'a.ts', 20],
  ['message', 'Again', 200, 'e2'],
);

it('begins a turn with each run, and where the agent speaks after it has done something', () => {
  expect(turnsOf(TALK).map(({ title, entries }) => [title, entries.length])).toEqual([
    ['First I read.', 5],
    ['Then I write.', 2],
    ['Again', 1],
  ]);
});

it.each([
  ['ERRAND_URL=http://x', 'ERRAND_URL=http://x'],
  ['_Now_ __I__ set `a_b_c` and __init__', 'Now I set a_b_c and init'],
  ['## **Done** with snake_case_', 'Done with snake_case'],
])('takes the marks of Markdown from the title %s, and leaves names whole', (text, title) => {
  expect(turnsOf(feed(['message', text]))[0]?.title?.trim()).toBe(title);
});

it('reads only the beginning of a line for a title', () => {
  const [turn] = turnsOf(feed(['message', `a${'_'.repeat(200_000)}b`]));

  expect(turn?.title).toBe('a');
});

it('counts what a turn holds', () => {
  expect(turnsOf(TALK).map(holdsOf)).toEqual(['2 calls', '1 edit', '']);
});

it('counts the entries of each filter', () => {
  expect(countsOf(TALK)).toEqual({ all: 8, messages: 3, tools: 1, commands: 1, edits: 1, questions: 0 });
});

const FOLDS = { chosen: new Map<string, boolean>(), all: false };
const shown = (items: ReturnType<typeof itemsOf>) =>
  items.map((item) => (item.kind === 'entry' ? item.entry.text : item.kind === 'gap' ? `quiet ${item.ms}` : '#'));

it('opens the last two turns, and draws long silence', () => {
  expect(shown(itemsOf(turnsOf(TALK), 'all', FOLDS))).toEqual([
    '#',
    '#',
    'Then I write.',
    'a.ts',
    'quiet 180000',
    '#',
    'Again',
  ]);
});

it('keeps what a person has opened when all others are folded', () => {
  const turns = turnsOf(TALK);
  const chosen = new Map([[turns[2]?.id ?? '', true]]);

  expect(shown(itemsOf(turns, 'all', { chosen, all: true }))).toEqual(['#', '#', 'quiet 180000', '#', 'Again']);
});

it('shows only the entries that a filter leaves, with the turns open', () => {
  expect(shown(itemsOf(turnsOf(TALK), 'commands', FOLDS))).toEqual(['#', 'npm test', 'ok']);
});

const PROMPT = { text: 'You work on a task.', words: 'Mind the tests.', at: '1970-01-01T00:00:00.000Z' };
const BY = { kind: 'user', id: 'u1', name: 'Ana' } as const;

it('puts the prompt of a run first, also before the run has written anything', () => {
  const prompts = ['e1', 'e3'].map((execution_id) => ({ ...PROMPT, execution_id, by: BY }));
  const turns = turnsOf(TALK, prompts);

  const items = itemsOf(turns, 'all', { chosen: new Map(turns.map(({ id }) => [id, true])), all: false });

  expect(
    items
      .map(({ key }) => key)
      .filter((key) => !key.startsWith('gap'))
      .slice(0, 3),
  ).toEqual(['e1:1', 'prompt e1', 'entry e1:1']);
  expect(items.map(({ key }) => key).slice(-2)).toEqual(['e3:0', 'prompt e3']);
  expect(turns.at(-1)?.title).toBe('Mind the tests.');
  expect(itemsOf(turns, 'edits', { chosen: new Map(), all: false }).some(({ kind }) => kind === 'prompt')).toBe(false);
});

it('shows no prompt in the middle of a run whose beginning is not loaded', () => {
  const [turn] = turnsOf(TALK.slice(1, 3), [{ ...PROMPT, execution_id: 'e1', by: BY }]);

  expect(turn?.prompt).toBeNull();
});
