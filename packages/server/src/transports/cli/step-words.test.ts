import { describe, expect, it } from 'vitest';
import { inWordsOfStep, lineOf, withPlace } from './step-words.ts';

const ERROR = { code: 'x', retryable: false, correlation_id: 'c1' };
const wordsOf = (message: string, rest: object = {}) => inWordsOfStep({ ...ERROR, message, ...rest });

describe('a refusal of errand step', () => {
  it.each([
    [
      'No step s1 in execution e1. create_step creates one and answers its step_id.',
      'No step s1 in execution e1. errand step "text" creates one and prints its id.',
    ],
    ['Invalid step_id. create_step answers it.', 'Invalid --id. errand step "text" prints it.'],
    ['step_name: must not be empty.', 'text: must not be empty.'],
    ['message: must have at most 2000 characters.', '--message: must have at most 2000 characters.'],
    ['step_name: is missing; status: is odd.', 'text: is missing; --status: is odd.'],
    ['execution_id is missing, not "step_id".', '--execution is missing, not "step_id".'],
  ])('speaks of what was typed: %s', (message, typed) => {
    expect(wordsOf(message).message).toBe(typed);
  });

  it('names fields as they were typed', () => {
    const fields = [
      { field: 'step_name', problem: 'is missing' },
      { field: 'message', problem: 'is too long' },
    ];

    expect(wordsOf('…', { details: { fields } }).message).toBe('text is missing; --message is too long.');
  });

  it('says where the place is set that nobody answered at', () => {
    const error = { ...ERROR, code: 'connection_failed', message: 'Connection failed to http://h:1' };

    expect(withPlace({ ok: false, error }).hint).toBe('TASK_MANAGER_HOST and TASK_MANAGER_PORT say where it is.');
    expect(withPlace({ ok: false, error, status: 502 })).not.toHaveProperty('hint');
    expect(withPlace({ ok: false, error: { ...error, code: 'timeout' } })).not.toHaveProperty('hint');
  });

  it.each([
    [{ message: 'No.' }, 'No.'],
    [{ message: 'No.', hint: 'Ask.' }, 'No. Ask.'],
    [{ message: 'Failed at http://h', hint: 'Ask.' }, 'Failed at http://h. Ask.'],
    [{ message: 'No\nfolder.' }, 'No folder.'],
  ])('is one line: %j', (words, line) => {
    expect(lineOf(words)).toBe(line);
  });

  it('says what to do in the same words', () => {
    expect(wordsOf('No.', { hint: 'create_step creates one and answers its step_id.' }).hint).toBe(
      'errand step "text" creates one and prints its id.',
    );
  });
});
