import type { FeedEntry, Step } from 'errand/client';
import { expect, it } from 'vitest';
import { resultsOf, shownWithCall } from './results.ts';

const RUN = 'e1';
const at = (seconds: number): string => new Date(seconds * 1_000).toISOString();

const feed = (...said: readonly (readonly [kind: FeedEntry['kind'], seconds: number, text: string])[]) =>
  said.map(
    ([kind, seconds, text], index): FeedEntry => ({ execution_id: RUN, seq: index + 1, kind, text, at: at(seconds) }),
  );

const aStep = (seq: number, step_name: string, fields: Partial<Step> = {}): Step => ({
  id: `s${seq}`,
  step_id: `s${seq}`,
  execution_id: RUN,
  seq,
  step_name,
  status: 'completed',
  message: null,
  source: 'tool',
  started_at: at(seq),
  updated_at: at(seq + 1),
  ended_at: at(seq + 1),
  ...fields,
});

const ofRun = (...steps: readonly Step[]) => ({ steps: new Map([[RUN, steps]]), running: null });

it('takes the result and the time of a call from its step', () => {
  const entries = feed(
    ['tool_call', 1, 'Read: the queue\nsrc/queue.ts'],
    ['tool_call', 2, 'Grep retry'],
    ['edit', 3, 'Write'],
  );
  const steps = [
    aStep(1, 'Read: the queue', { message: '120 lines' }),
    aStep(2, 'A step of the agent', { source: 'agent' }),
    aStep(3, 'Grep retry', { status: 'failed', message: 'no such file', ended_at: at(5) }),
    aStep(4, 'Write', { status: 'running', ended_at: null }),
  ];

  const results = resultsOf(entries, ofRun(...steps));

  expect([...results]).toEqual([
    ['e1:1', { status: 'completed', text: '120 lines', tookMs: 1_000, output: null }],
    ['e1:2', { status: 'failed', text: 'no such file', tookMs: 2_000, output: null }],
    ['e1:3', { status: 'running', text: null, tookMs: null, output: null }],
  ]);
});

it('gives equal calls their own steps, also while the first ones are not loaded', () => {
  const entries = feed(['command', 3, 'npm test'], ['command', 5, 'npm test']);
  const steps = [1, 3, 5].map((seq) => aStep(seq, 'npm test', { message: `run ${seq}` }));

  const results = resultsOf(entries, ofRun(...steps));

  expect([...results.values()].map(({ text }) => text)).toEqual(['run 3', 'run 5']);
});

it('shows the output of a command with it, and says from its last line how it went', () => {
  const entries = feed(
    ['command', 1, 'npm test'],
    ['output', 42, 'FAIL a.test.ts\n 182 passed, 2 failed\n'],
    ['command', 50, 'npm run lint'],
    ['output', 51, '0 failed'],
    ['output', 52, 'a line of nobody'],
  );

  const results = resultsOf(entries, ofRun());

  expect([...results.values()].map(({ output: _, ...rest }) => rest)).toEqual([
    { status: 'failed', text: '182 passed, 2 failed', tookMs: 41_000 },
    { status: 'completed', text: '0 failed', tookMs: 1_000 },
  ]);
  expect([...shownWithCall(results)]).toEqual(['e1:2', 'e1:4']);
});

it('says of the last call of a run that goes on that it runs, and of no other', () => {
  const entries = feed(['tool_call', 1, 'Read a.ts'], ['command', 2, 'npm test']);

  expect([...resultsOf(entries, { steps: new Map(), running: RUN }).keys()]).toEqual(['e1:2']);
  expect(resultsOf(entries, { steps: new Map(), running: null }).size).toBe(0);
});
