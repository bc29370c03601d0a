import { describe, expect, it } from 'vitest';
import { shortLine } from './short-line.ts';

const line = (fields: object): string =>
  shortLine(JSON.stringify({ level: 'warn', time: '2026-11-16T06:11:26.533Z', pid: 7, ...fields, msg: 'call' }));

describe('a short line of the log', () => {
  it('has the time, the level, the message and the fields', () => {
    expect(line({ tool: 'todo_list_tasks', latency_ms: 2.5, note: 'two words', agent_id: null })).toMatch(
      /^\d\d:\d\d:26 warn call tool=todo_list_tasks latency_ms=2\.5 note="two words" agent_id=null\n$/,
    );
  });

  it('holds nothing that acts on a terminal', () => {
    const said = line({
      path: '/\u001b[2J\u009b\u202e\n',
      '\u0007name': 1,
      error: { stack: 'Error: \u001b[31m\n    at x' },
    });

    // Control characters, and those that change the direction of the text.
    expect(said.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(said.split('\n')).toHaveLength(4);
  });
});
