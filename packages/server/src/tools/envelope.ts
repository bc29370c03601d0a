import { ROOM, shortText } from '#domain/answer-size';
import type { Definition } from './define.ts';
import type { JsonSchema } from './schema.ts';

interface Refusal {
  readonly code?: string | undefined;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

type Enveloped = Pick<Definition, 'envelope'>;

/** The longest text within the data, as JSON. Clients would cut an answer with longer ones. */
const LENGTHS = [2_000, 1_000, 400, 200] as const;

/** Data that fits into an answer: long texts are shortened. */
function fittingData(json: string, room: number): string {
  if (json.length <= room) return json;
  const data: unknown = JSON.parse(json);
  const cutTo = (most: number): string =>
    JSON.stringify(data, (_, value) => (typeof value === 'string' ? shortText(value, most) : value));
  return LENGTHS.map(cutTo).find((text) => text.length <= room) ?? cutTo(LENGTHS[3]);
}

/** The answer, with messages for the caller at its top level. They come first: clients cut the end of a long answer. */
const withMessages = (json: string, messages: string | undefined): string =>
  messages === undefined ? json : `{"messages":${messages}${json === '{}' ? '' : ','}${json.slice(1)}`;

/** Wraps an answer, which is JSON text already, in the envelope that agents get. */
export function answerText({ envelope }: Enveloped, json: string, messages?: string): string {
  if (envelope === null) return withMessages(json, messages);
  const head = `{"success":true,"message":${JSON.stringify(envelope)},"data":`;
  return withMessages(`${head}${fittingData(json, ROOM.answer - head.length)}}`, messages);
}

/** A refusal in one or two sentences, with its details. */
export const reportFailure = ({ code, message, hint, details }: Refusal) => ({
  error: hint === undefined ? message : `${message} ${hint}`,
  ...(code !== undefined && { error_code: code }),
  ...(details?.valid_statuses !== undefined && { valid_statuses: details.valid_statuses }),
});

/** A refusal in the envelope that agents get. */
export const failureBody = (
  { envelope }: Enveloped,
  error: Refusal,
  status: number | undefined,
): Readonly<Record<string, unknown>> =>
  envelope === null
    ? { error }
    : { success: false, ...reportFailure(error), ...(status !== undefined && { status_code: status }) };

/** The message of a failure. `details`, `retry_after_ms` and `correlation_id` can accompany it. */
const FAILURE: JsonSchema = {
  type: 'object',
  description: 'Failure {code, message, hint, retryable}',
};

/**
 * The schema of an answer in the envelope. Nothing is required: SDK 1.x clients check failed calls against the same schema,
 * and hide the error when it does not fit.
 */
export function answerSchema({ envelope }: Enveloped, schema: JsonSchema): JsonSchema {
  if (envelope === null) return { ...schema, properties: { ...schema.properties, error: FAILURE } };
  return {
    type: 'object',
    properties: {
      success: { type: 'boolean', description: 'Whether it was done' },
      message: { type: 'string', description: 'What was done' },
      data: schema,
      error: { type: 'string', description: 'Why it was not done, and what to do' },
      error_code: { type: 'string', description: 'Error code' },
      status_code: { type: 'integer', description: 'HTTP status' },
      valid_statuses: { type: 'array', items: { type: 'string' }, description: 'Statuses to choose from' },
    },
    required: ['success'],
  };
}
