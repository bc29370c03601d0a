import { describe, expect, it } from 'vitest';
import type { RunSink } from '#runner/executor';
import { createNarration, type ToolReport } from './narration.ts';

function listen() {
  const feed: string[] = [];
  const steps: string[] = [];
  const plans: string[][] = [];
  const sink: RunSink = {
    feed: (kind, text) => void feed.push(`${kind}: ${text}`),
    step: (key, { name, status, message }) => void steps.push(`${key} ${name} ${status} ${message ?? ''}`.trim()),
    session: () => undefined,
    usage: () => undefined,
    plan: (entries) => void plans.push(entries.map(({ content, status }) => `${content} ${status}`)),
    client: () => undefined,
    ask: async () => null,
  };
  return { feed, steps, plans, narration: createNarration(sink) };
}

const tool = (fields: Partial<ToolReport>): ToolReport => ({
  id: 't',
  title: 'Run tests',
  activity: 'command',
  status: 'pending',
  detail: null,
  outcome: null,
  ...fields,
});

describe('the text of an agent', () => {
  it('is recorded message by message, not chunk by chunk', () => {
    const { feed, narration } = listen();

    for (const chunk of ['I ', 'look', ' around.']) narration.say(chunk, 'a');
    for (const chunk of ['Now ', 'I mend.']) narration.say(chunk, 'b');
    narration.think('Hm.', null);
    narration.pause();

    expect(feed).toEqual(['message: I look around.', 'message: Now I mend.', 'thought: Hm.']);
    expect(narration.summary()).toBe('Now I mend.');
  });

  it('is recorded in pieces when it is endless, and nothing of it is lost', () => {
    const { feed, narration } = listen();

    for (let i = 0; i < 10; i += 1) narration.say('x'.repeat(3_000), null);
    narration.pause();

    expect(feed.map((entry) => entry.length)).toEqual([4_009, 4_009, 4_009, 4_009, 4_009, 4_009, 4_009, 2_009]);
  });
});

describe('a tool that an agent uses', () => {
  it('is recorded when it begins, with what is known by then, and when it has ended', () => {
    const { feed, steps, narration } = listen();

    narration.tool(tool({ title: 'bash' }));
    narration.tool(tool({ status: 'running', detail: 'npm test' }));
    narration.tool(tool({ status: 'completed', detail: 'npm test', outcome: 'all passed' }));
    narration.tool(tool({ status: 'completed', detail: 'npm test', outcome: 'all passed' }));

    expect(feed).toEqual(['command: Run tests\nnpm test', 'output: all passed']);
    expect(steps).toEqual(['tool:t bash running', 'tool:t Run tests running', 'tool:t Run tests completed all passed']);
  });

  it('says how a command went with its last line, and of another tool the result that has one line', () => {
    const { steps, narration } = listen();
    const done = { title: 'bash', status: 'completed' } as const;

    narration.tool(tool({ ...done, id: 'a', outcome: 'a.test.ts\n182 passed, 2 failed\n' }));
    narration.tool(tool({ ...done, id: 'b', activity: 'tool_call', outcome: '5 criteria\n' }));
    narration.tool(tool({ ...done, id: 'c', activity: 'tool_call', outcome: 'line 1\nline 2' }));

    expect(steps).toEqual([
      'tool:a bash completed 182 passed, 2 failed',
      'tool:b bash completed 5 criteria',
      'tool:c bash completed',
    ]);
  });

  it('says why it failed', () => {
    const { feed, steps, narration } = listen();

    narration.tool(tool({ activity: 'edit', title: 'Mend', status: 'failed', outcome: 'no such\nfile' }));

    expect(feed).toEqual(['edit: Mend', 'output: no such\nfile']);
    expect(steps).toEqual(['tool:t Mend failed no such file']);
  });
});

describe('a plan', () => {
  it('keeps its steps when entries are inserted, also two with the same text', () => {
    const { steps, narration } = listen();

    narration.plan([
      { content: 'Test', status: 'running' },
      { content: 'Test', status: 'pending' },
    ]);
    narration.plan([
      { content: 'Look', status: 'completed' },
      { content: 'Test', status: 'completed' },
      { content: 'Test', status: 'running' },
    ]);

    expect(steps).toEqual([
      'plan:Test Test running',
      'plan:Look Look completed',
      'plan:Test Test completed',
      'plan:Test#2 Test running',
    ]);
  });

  it('marks a running entry as skipped when it is gone', () => {
    const { steps, narration } = listen();

    narration.plan([{ content: 'Look', status: 'running' }]);
    narration.plan([]);

    expect(steps).toEqual(['plan:Look Look running', 'plan:Look Look skipped']);
  });

  it('[L-STEER] tells of the whole plan, with what is still to come', () => {
    const { plans, narration } = listen();

    narration.plan([
      { content: 'Read', status: 'running' },
      { content: 'Write', status: 'pending' },
    ]);

    expect(plans).toEqual([['Read running', 'Write pending']]);
  });
});
