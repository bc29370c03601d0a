import { describe, expect, it } from 'vitest';
import { aQuestion } from '#wire/testing/any-record';
import { fits } from './answers.ts';

const text = { type: 'text', text: 'Yes.' };

describe('an answer', () => {
  it.each([
    ['elicitation/create', { action: 'accept', content: { city: 'Oslo' } }, true],
    ['elicitation/create', { action: 'accept' }, true],
    ['elicitation/create', { action: 'accept', content: [] }, false],
    ['elicitation/create', { action: 'perhaps' }, false],
    ['elicitation/create', { roots: [] }, false],
    ['sampling/createMessage', { role: 'assistant', model: 'm', content: text }, true],
    ['sampling/createMessage', { role: 'assistant', model: 'm' }, false],
    ['sampling/createMessage', { role: 'assistant', content: text }, false],
    ['sampling/createMessage', { model: 'm', content: text }, false],
    ['roots/list', { roots: [] }, true],
    ['roots/list', { roots: {} }, false],
    ['roots/list', { action: 'accept' }, false],
  ] as const)('[A8, B4] to %s fits as %j: %s', (method, answer, does) => {
    expect(fits(aQuestion(method), answer)).toBe(does);
  });

  it.each(['elicitation/create', 'sampling/createMessage', 'roots/list'] as const)(
    '[A8, B4] to %s may say that there will be no answer',
    (method) => {
      expect(fits(aQuestion(method), { action: 'decline' })).toBe(true);
      expect(fits(aQuestion(method), { action: 'cancel' })).toBe(true);
    },
  );
});
