import type { InputRequest, InputRequired } from './host.ts';
import { isObject, type JsonObject } from './json.ts';

/** Thrown by `ask` when an answer is missing: the call ends, and the client makes it again with the answer. */
export class InputNeeded extends Error {
  override readonly name = 'InputNeeded';
  readonly required: InputRequired;

  constructor(required: InputRequired) {
    super('The call needs input of the client.');
    this.required = required;
  }
}

interface Asked {
  readonly input_responses: JsonObject;
  readonly request_state: string | undefined;
}

/** Reads the answers of earlier rounds. The client sends them back, so they are as untrusted as its other input. */
function earlierAnswers(state: string | undefined): JsonObject {
  if (state === undefined) return {};
  try {
    const parsed: unknown = JSON.parse(state);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/** Returns the answers to these requests. Throws `InputNeeded` when one of them is missing. */
export function answersTo<Key extends string>(
  requests: Readonly<Record<Key, InputRequest>>,
  { input_responses, request_state }: Asked,
): Readonly<Record<Key, JsonObject>> {
  const answers: JsonObject = { ...earlierAnswers(request_state), ...input_responses };
  const entries = Object.entries<InputRequest>(requests);
  const missing = entries.filter(([key]) => !isObject(answers[key]));
  if (missing.length > 0) {
    const state = JSON.stringify(answers);
    throw new InputNeeded({ kind: 'input_required', requests: Object.fromEntries(missing), state });
  }
  // The cast: every answer is present and an object.
  return Object.fromEntries(entries.map(([key]) => [key, answers[key]])) as Readonly<Record<Key, JsonObject>>;
}
