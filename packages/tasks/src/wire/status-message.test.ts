import { describe, expect, it } from 'vitest';
import { aTask } from '#testing/a-task';
import { statusMessageOf } from './status-message.ts';

const failure = { kind: 'rpc_error', error: { code: -32603, message: 'Out of paper.' } } as const;
const progress = { progress: 1, message: 'Printing page 1.' };

describe('status message', () => {
  it('[A7] is the message that was set, before anything else', () => {
    expect(statusMessageOf(aTask({ status_message: 'Printing.', progress }))).toBe('Printing.');
    expect(statusMessageOf(aTask({ status_message: 'Gave up.', status: 'failed', outcome: failure }))).toBe('Gave up.');
  });

  it('[A7] is the reason of a failure', () => {
    expect(statusMessageOf(aTask({ status: 'failed', outcome: failure, progress }))).toBe('Out of paper.');
  });

  it('[C5] is the progress message only while the task runs', () => {
    const outcome = { kind: 'result', result: { content: [] } } as const;

    expect(statusMessageOf(aTask({ progress }))).toBe('Printing page 1.');
    expect(statusMessageOf(aTask({ progress, status: 'completed', outcome }))).toBeNull();
  });

  it('[A7] is empty when a tool failed without a message', () => {
    const outcome = { kind: 'tool_error', result: { content: [], isError: true } } as const;

    expect(statusMessageOf(aTask({ status: 'failed', outcome }))).toBeNull();
  });

  it('[A7] is cut when a tool failed with a very long message, and stays valid text', () => {
    const text = '😀'.repeat(5_000);
    const outcome = { kind: 'tool_error', result: { content: [{ type: 'text', text }], isError: true } } as const;

    const message = statusMessageOf(aTask({ status: 'failed', outcome })) ?? '';

    expect(message.length).toBe(2_000);
    expect(message.isWellFormed()).toBe(true);
  });
});
