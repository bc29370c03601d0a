import type { ContentAnswer, InputRequest, InputRequired, ToolAnswer } from '#host';
import type { JsonObject } from '#json';

/** One piece of what a tool or a prompt says. */
export type ContentBlock = JsonObject & { readonly type: string };

const base64 = (data: string | Uint8Array): string =>
  typeof data === 'string' ? data : Buffer.from(data).toString('base64');

export const text = (value: string): ContentBlock => ({ type: 'text', text: value });

/** An image out of bytes, or of base64. */
export const image = (data: string | Uint8Array, mimeType: string): ContentBlock => ({
  type: 'image',
  data: base64(data),
  mimeType,
});

/** Sound out of bytes, or of base64. */
export const audio = (data: string | Uint8Array, mimeType: string): ContentBlock => ({
  type: 'audio',
  data: base64(data),
  mimeType,
});

/** The contents of a resource within an answer. */
export const embedded = (resource: JsonObject): ContentBlock => ({ type: 'resource', resource });

/** What a tool answers besides a plain value. A class of its own, so that no value of a tool is taken for one. */
export class ToolResult {
  readonly answer: ToolAnswer;

  constructor(answer: ToolAnswer) {
    this.answer = answer;
  }
}

const contentAnswer = (content: readonly ContentBlock[], failed: boolean): ContentAnswer =>
  failed ? { kind: 'content', content, failed } : { kind: 'content', content };

/** An answer out of several pieces. */
export const content = (...blocks: readonly ContentBlock[]): ToolResult => new ToolResult(contentAnswer(blocks, false));

/** The tool could not do it. The model reads why. */
export const failure = (reason: string | ContentBlock): ToolResult =>
  new ToolResult(contentAnswer([typeof reason === 'string' ? text(reason) : reason], true));

/** The call cannot go on without these answers: the client makes it again with them, and with the state. */
export function inputRequired(requests: Readonly<Record<string, InputRequest>>, state?: string): ToolResult {
  const required: InputRequired = { kind: 'input_required', requests, ...(state !== undefined && { state }) };
  return new ToolResult(required);
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

const said = (role: PromptMessage['role'], block: string | ContentBlock): PromptMessage => ({
  role,
  content: typeof block === 'string' ? text(block) : block,
});

/** A message of a prompt in the user's name. */
export const user = (block: string | ContentBlock): PromptMessage => said('user', block);

/** A message of a prompt in the model's name. */
export const assistant = (block: string | ContentBlock): PromptMessage => said('assistant', block);
