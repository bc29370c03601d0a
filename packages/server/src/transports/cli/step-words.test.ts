import { describe, expect, it } from 'vitest';
import { say, type Words } from '#advice';
import { inWordsOfStep, lineOf, withAddress } from './step-words.ts';

const ERROR = { code: 'x', retryable: false, correlation_id: 'c1' };
const wordsOf = (message: Words, hint: readonly Words[] = []) => inWordsOfStep({ ...ERROR, message, hint });

describe('a refusal of errand step', () => {
  it.each([
    [
      say`Invalid ${{ field: 'step_id' }}. ${{ tool: 'create_step' }} gives it.`,
      'Invalid --id. errand step "text" gives it.',
    ],
    [
      say`${{ about: 'step_name' }} is missing; ${{ about: 'message' }} is too long.`,
      'text is missing; --message is too long.',
    ],
    [say`${{ field: 'execution_id' }} is missing, not "step_id".`, '--execution is missing, not "step_id".'],
  ])('names what was typed: %j', (message, typed) => {
    expect(wordsOf(message).message).toBe(typed);
  });

  it('says where the address is set at which no server answered', () => {
    const error = { ...ERROR, code: 'connection_failed', message: 'Connection failed to http://h:1' };

    expect(inWordsOfStep(withAddress({ ok: false, error })).hint).toBe(
      'TASK_MANAGER_HOST and TASK_MANAGER_PORT say where it is.',
    );
    expect(withAddress({ ok: false, error, status: 502 })).not.toHaveProperty('hint');
    expect(withAddress({ ok: false, error: { ...error, code: 'timeout' } })).not.toHaveProperty('hint');
  });

  it.each([
    [{ message: 'No.' }, 'No.'],
    [{ message: 'No.', hint: 'Ask.' }, 'No. Ask.'],
    [{ message: 'Failed at http://h', hint: 'Ask.' }, 'Failed at http://h. Ask.'],
    [{ message: 'No\nfolder.' }, 'No folder.'],
  ])('is one line: %j', (words, line) => {
    expect(lineOf(words)).toBe(line);
  });

  it('names commands in its advice', () => {
    expect(wordsOf('No.', [say`${{ tool: 'create_step' }} creates one and gives its id.`]).hint).toBe(
      'errand step "text" creates one and gives its id.',
    );
  });
});
