import type { FeedEntry } from 'errand/client';
import { expect, it } from 'vitest';
import { saidIn, type Talk } from './said.ts';

const ASKED_AT = Date.parse('2026-01-02T03:04:05.000Z');
const ANA = { kind: 'user', id: 'u1', name: 'Ana Ruiz' } as const;
const AGENT = { id: 'a1', name: 'atlas' };

const entry = (seq: number, kind: FeedEntry['kind'], text: string): FeedEntry => ({
  execution_id: 'e1',
  seq,
  kind,
  text,
  at: new Date(ASKED_AT).toISOString(),
});

const talk: Talk = {
  agent: AGENT,
  senders: new Map([['e1:2', ANA]]),
  answers: new Map([['e1:1', { by: ANA, text: '8080', waitedMs: 82_000 }]]),
};

it('names who asked, who answered and when, and who wrote to the agent', () => {
  expect(saidIn(entry(1, 'question', 'Which port?'), talk)).toEqual([
    { key: 'e1:1', at: ASKED_AT, text: 'Which port?', by: { kind: 'agent', ...AGENT } },
    { key: 'e1:1 answer', at: ASKED_AT + 82_000, text: '8080', by: ANA },
  ]);
  expect(saidIn(entry(2, 'status', 'A person to the agent: Go on'), talk)).toEqual([
    { key: 'e1:2', at: ASKED_AT, text: 'Go on', by: ANA },
  ]);
});

it('leaves out what is no talk, and says when it does not know the sender', () => {
  expect(saidIn(entry(1, 'command', 'npm test'), talk)).toEqual([]);
  expect(saidIn(entry(3, 'question', 'And now?'), talk).map(({ text }) => text)).toEqual(['And now?']);
  expect(saidIn(entry(4, 'status', 'A person to the agent: Stop'), talk)).toMatchObject([{ text: 'Stop', by: null }]);
});
