import { isObject } from '#json';
import type { InputRequest } from '#task';

/**
 * Whether an answer has the form that its question asks for. The first answer to a question stays, so one that the
 * work cannot read must not become it. That there will be no answer is one to every question.
 */
export function fits({ method }: InputRequest, answer: Readonly<Record<string, unknown>>): boolean {
  const { action, content, role, model, roots } = answer;
  if (action === 'decline' || action === 'cancel') return true;
  switch (method) {
    case 'elicitation/create':
      return action === 'accept' && (content === undefined || isObject(content));
    case 'sampling/createMessage':
      return typeof role === 'string' && typeof model === 'string' && content !== undefined;
    case 'roots/list':
      return Array.isArray(roots);
  }
}
