import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INPUT_METHODS, type InputRequest } from '#task';
import { aTask } from '#testing/a-task';
import { aQuestion } from '#wire/testing/any-record';
import { faultsOf } from '#wire/testing/faults-of';
import { encodeQuestion, mayAsk, readAnswer, readQuestionId } from './questions.ts';
import { RELATED_TASK } from './task.ts';

const DEFINITIONS = {
  'elicitation/create': 'ElicitRequest',
  'sampling/createMessage': 'CreateMessageRequest',
  'roots/list': 'ListRootsRequest',
} as const;

describe('questions of 2025-11-25', () => {
  it.each(INPUT_METHODS)('[A8, TYPE-04] encodes %s as a request that names its task', (method) => {
    const record = aTask({ inputs: { city: { request: aQuestion(method), answer: null } } });

    const question = encodeQuestion(record, 'city');

    expect(question?.params).toMatchObject({ _meta: { [RELATED_TASK]: { taskId: record.task_id } } });
    expect(faultsOf('2025-11-25', DEFINITIONS[method], { jsonrpc: '2.0', ...question })).toEqual([]);
  });

  it('[A8] reads task and key from the id of a question, for any key', () => {
    fc.assert(
      fc.property(fc.string(), (key) => {
        const record = aTask({ inputs: { [key]: { request: aQuestion(), answer: null } } });

        const question = encodeQuestion(record, key);

        expect(readQuestionId(question?.id)).toEqual({ task_id: record.task_id, key });
      }),
    );
  });

  it.each([7, null, 'task-input:', 'task-input:x', 'task-input:x:city', '2b0d', {}])(
    '[A8] takes %j for the id of some other request',
    (id) => {
      expect(readQuestionId(id)).toBeNull();
    },
  );

  it('[A8] has no question under a key that was not asked', () => {
    expect(encodeQuestion(aTask(), 'city')).toBeNull();
    expect(encodeQuestion(aTask(), 'constructor')).toBeNull();
  });

  it('[A8] reads a result as the answer, and an error as a cancelled question', () => {
    const result = { action: 'accept', content: { city: 'Oslo' } };

    expect(readAnswer({ result })).toEqual(result);
    expect(readAnswer({ error: { code: -1, message: 'The user said no.' } })).toEqual({ action: 'cancel' });
    expect(readAnswer({ result: 'yes' })).toBeNull();
    expect(readAnswer({})).toBeNull();
  });

  const url: InputRequest = { method: 'elicitation/create', params: { mode: 'url' } };

  it.each([
    [aQuestion('elicitation/create'), { elicitation: {} }, true],
    [aQuestion('elicitation/create'), { sampling: {}, roots: {} }, false],
    [aQuestion('elicitation/create'), { elicitation: { form: {}, url: {} } }, true],
    [aQuestion('elicitation/create'), { elicitation: { url: {} } }, false],
    [url, { elicitation: { form: {} } }, false],
    [url, { elicitation: {} }, false],
    [url, { elicitation: { url: {} } }, true],
    [aQuestion('sampling/createMessage'), { sampling: {} }, true],
    [aQuestion('sampling/createMessage'), { elicitation: {} }, false],
    [aQuestion('roots/list'), { roots: {} }, true],
    [aQuestion('roots/list'), {}, false],
  ] as const)('[A8] asks %j of a client that declared %j: %s', (question, capabilities, asked) => {
    expect(mayAsk(capabilities, question)).toBe(asked);
  });
});
