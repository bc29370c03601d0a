import { isObject } from '#json';
import type { InputRequest } from '#task';

/**
 * True when an answer has the form that its question requires. The first answer to a question is final, so one that the
 * handler cannot read must be refused. `decline` and `cancel` are valid answers to every question.
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
