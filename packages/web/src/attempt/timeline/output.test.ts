import type { FeedEntry } from 'errand/client';
import { expect, it } from 'vitest';
import { entriesOf, isBad, linesOf, outputsOf } from './output.ts';

let seq = 0;
const entry = (kind: FeedEntry['kind'], text: string, at = '2026-11-16T14:00:05Z'): FeedEntry => {
  seq += 1;
  return { seq, execution_id: 'e1', kind, text, at };
};

it('puts the output of a command below that command', () => {
  const outputs = outputsOf([
    entry('output', 'before'),
    entry('command', 'npm test'),
    entry('output', 'one\ntwo'),
    entry('message', 'I see.'),
    entry('output', 'three\n'),
    entry('command', 'ls'),
  ]);

  expect(outputs).toEqual([
    { command: null, lines: ['before'] },
    { command: 'npm test', lines: ['one', 'two', 'three'] },
    { command: 'ls', lines: [] },
  ]);
});

it('leaves out empty lines at the end alone, however many there are before', () => {
  const empty = '\n'.repeat(500_000);

  expect(linesOf(`a${empty}b${empty}`)).toHaveLength(500_001);
  expect(linesOf('\n')).toEqual([]);
});

it('takes only what was reported during the step, in its run', () => {
  const step = { execution_id: 'e1', started_at: '2026-11-16T14:00:00Z', ended_at: '2026-11-16T14:00:10Z' };
  const [early, during, late] = ['13:59:59', '14:00:10', '14:00:11'].map((time) =>
    entry('output', time, `2026-11-16T${time}Z`),
  );
  const elsewhere = { ...entry('output', 'other'), execution_id: 'e2' };

  const found = entriesOf(
    [early, during, late, elsewhere].filter((each) => each !== undefined),
    step,
  );

  expect(found.map(({ text }) => text)).toEqual(['14:00:10']);
});

it('marks lines that report an error', () => {
  expect(
    [' ✗ stops after three', 'AssertionError: no', 'error[E0308]: types', '182 passed, 0 failed'].map(isBad),
  ).toEqual([true, true, true, false]);
});
