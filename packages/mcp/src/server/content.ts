import type { ContentAnswer, InputRequest, InputRequired, ToolAnswer } from '#host';
import type { JsonObject } from '#json';

/** One piece of content of a tool or a prompt. */
export type ContentBlock = JsonObject & { readonly type: string };

const base64 = (data: string | Uint8Array): string =>
  typeof data === 'string' ? data : Buffer.from(data).toString('base64');

export const text = (value: string): ContentBlock => ({ type: 'text', text: value });

/** Makes an image from bytes or base64. */
export const image = (data: string | Uint8Array, mimeType: string): ContentBlock => ({
  type: 'image',
  data: base64(data),
  mimeType,
});

/** Makes audio content from bytes or base64. */
export const audio = (data: string | Uint8Array, mimeType: string): ContentBlock => ({
  type: 'audio',
  data: base64(data),
  mimeType,
});

/** Embeds the contents of a resource in an answer. */
export const embedded = (resource: JsonObject): ContentBlock => ({ type: 'resource', resource });

/** An answer of a tool other than a plain value. It is a class, so that no plain value is mistaken for one. */
export class ToolResult {
  readonly answer: ToolAnswer;

  constructor(answer: ToolAnswer) {
    this.answer = answer;
  }
}

const contentAnswer = (content: readonly ContentBlock[], failed: boolean): ContentAnswer =>
  failed ? { kind: 'content', content, failed } : { kind: 'content', content };

/** Makes an answer from several pieces. */
export const content = (...blocks: readonly ContentBlock[]): ToolResult => new ToolResult(contentAnswer(blocks, false));

/** Makes the answer of a tool that failed. The model reads the reason. */
export const failure = (reason: string | ContentBlock): ToolResult =>
  new ToolResult(contentAnswer([typeof reason === 'string' ? text(reason) : reason], true));

/** Makes an answer that asks for input: the client makes the call again with the answers, and with the state. */
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

/** Makes a message of a prompt with the role `user`. */
export const user = (block: string | ContentBlock): PromptMessage => said('user', block);

/** Makes a message of a prompt with the role `assistant`. */
export const assistant = (block: string | ContentBlock): PromptMessage => said('assistant', block);
