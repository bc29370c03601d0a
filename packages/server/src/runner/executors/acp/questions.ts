import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import { z } from 'zod';
import type { Answer, Question } from '#runner/executor';
import { cleanText, cutText } from '#runner/executors/clean-text';
import type { ToolCalls } from './tool-calls.ts';

const MAX_QUESTION_CHARACTERS = 500;
const MAX_DETAILS_CHARACTERS = 4_000;
const MAX_OPTIONS = 20;
const MAX_OPTION_CHARACTERS = 200;

const oneLine = (text: string): string =>
  cutText(cleanText(text.slice(0, MAX_DETAILS_CHARACTERS)).replaceAll(/\s+/g, ' ').trim(), MAX_QUESTION_CHARACTERS);

export function permissionQuestion({ toolCall, options }: RequestPermissionRequest, toolCalls: ToolCalls): Question {
  const use = toolCalls.note(toolCall);
  const question = oneLine(use?.title ?? '') || 'The agent asks for permission';
  const details = use?.detail == null ? null : cutText(cleanText(use.detail), MAX_DETAILS_CHARACTERS);
  return {
    kind: 'permission',
    question,
    details: details === question ? null : details,
    options: options
      .slice(0, MAX_OPTIONS)
      // A cut or cleaned id would no longer be the agent's own.
      .filter(({ optionId }) => optionId.length <= MAX_OPTION_CHARACTERS && cleanText(optionId) === optionId)
      .map(({ optionId, name, kind }) => ({ option: optionId, name: oneLine(name), kind })),
  };
}

export const permissionResponse = (answer: Answer): RequestPermissionResponse =>
  answer?.option == null
    ? { outcome: { outcome: 'cancelled' } }
    : { outcome: { outcome: 'selected', optionId: answer.option } };

const Field = z.object({
  type: z.string(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  enum: z.array(z.string()).nullish(),
});
const Form = z.object({ requestedSchema: z.object({ properties: z.record(z.string(), Field).optional() }) });
type Fields = readonly (readonly [string, z.infer<typeof Field>])[];

const fieldsOf = (request: CreateElicitationRequest): Fields => {
  const form = Form.safeParse(request);
  return form.success ? Object.entries(form.data.requestedSchema.properties ?? {}) : [];
};

const describeField = ([name, { title, description, enum: values }]: Fields[number]): string =>
  [`${title ?? name}:`, description, values && `one of ${values.join(', ')}`].filter(Boolean).join(' ');

/** Null for a form that one line of text cannot answer. */
export function elicitationQuestion(request: CreateElicitationRequest): Question | null {
  const fields = fieldsOf(request);
  if (request.mode !== 'form' || fields.length !== 1) return null;
  return {
    kind: 'question',
    question: oneLine(request.message) || 'The agent asks a question',
    details: cutText(cleanText(fields.map(describeField).join('\n')), MAX_DETAILS_CHARACTERS),
    options: [],
  };
}

function valueFor(type: string, answer: string): string | number | boolean | string[] {
  if (type === 'boolean') return /^(y|yes|true|1)$/i.test(answer.trim());
  if (type === 'number' || type === 'integer') return Number(answer);
  return type === 'array' ? answer.split(',').map((part) => part.trim()) : answer;
}

export function elicitationResponse(request: CreateElicitationRequest, answer: Answer): CreateElicitationResponse {
  const [field] = fieldsOf(request);
  if (answer === null || field === undefined) return { action: 'cancel' };
  if (answer.answer === null) return { action: 'decline' };
  const [name, { type }] = field;
  return { action: 'accept', content: { [name]: valueFor(type, answer.answer) } };
}
