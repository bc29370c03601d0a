import fc from 'fast-check';
import type { JsonObject } from '#json';
import { INPUT_METHODS, type InputRequest, type Outcome, type TaskInput, type TaskRecord } from '#task';
import { aTask } from '#testing/a-task';

const PARAMS: Readonly<Record<InputRequest['method'], JsonObject>> = {
  'elicitation/create': { message: 'Which?', requestedSchema: { type: 'object', properties: {} } },
  'sampling/createMessage': {
    maxTokens: 10,
    messages: [{ role: 'user', content: { type: 'text', text: 'Say yes.' } }],
  },
  'roots/list': {},
};

export const aQuestion = (method: InputRequest['method'] = 'elicitation/create'): InputRequest => ({
  method,
  params: PARAMS[method],
});

const anyInput: fc.Arbitrary<TaskInput> = fc.record({
  request: fc.constantFrom(...INPUT_METHODS).map(aQuestion),
  answer: fc.constantFrom(null, { action: 'accept' }),
});

const anyResult: fc.Arbitrary<JsonObject> = fc
  .array(fc.string(), { maxLength: 3 })
  .map((texts) => ({ content: texts.map((text) => ({ type: 'text', text })) }));

const parsed = (texts: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, JSON.parse(text)]));

const anyOutcome: fc.Arbitrary<Outcome | null> = fc.oneof(
  fc.constant(null),
  fc.record({ kind: fc.constant('result' as const), result: anyResult }),
  anyResult.map((result): Outcome => ({ kind: 'tool_error', result: { ...result, isError: true } })),
  fc.record({ code: fc.integer(), message: fc.string() }).map((error): Outcome => ({ kind: 'rpc_error', error })),
  fc.constant({ kind: 'cancelled' as const }),
);

const STATUS_OF = { result: 'completed', tool_error: 'failed', rpc_error: 'failed', cancelled: 'cancelled' } as const;

/** Random tasks of every status, with random values in all fields. */
export const anyRecord: fc.Arbitrary<TaskRecord> = fc
  .record({
    created_at: fc.integer({ min: 0, max: 4_102_444_800_000 }),
    outcome: anyOutcome,
    inputs: fc.dictionary(fc.string({ minLength: 1 }), anyInput, { maxKeys: 3 }),
    variables: fc.dictionary(fc.string(), fc.json(), { maxKeys: 3 }).map(parsed),
    status_message: fc.option(fc.string()),
    progress: fc.option(fc.record({ progress: fc.nat(), message: fc.string() }, { requiredKeys: ['progress'] })),
    immediate_response: fc.option(fc.string()),
    ttl_ms: fc.option(fc.nat()),
    poll_interval_ms: fc.nat(),
    progress_token: fc.option(fc.oneof(fc.string(), fc.nat())),
  })
  .map(({ progress_token, ...fields }) => {
    const isAsking = Object.values(fields.inputs).some(({ answer }) => answer === null);
    const status = fields.outcome === null ? (isAsking ? 'input_required' : 'working') : STATUS_OF[fields.outcome.kind];
    const record = aTask({ ...fields, status, request: { ...aTask().request, progress_token } });
    return JSON.parse(JSON.stringify(record)) as TaskRecord; // As a store returns it: records are JSON.
  });
