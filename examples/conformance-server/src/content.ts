import type { ContentAnswer, InputRequest, InputRequired } from '@errand/mcp';
import { isObject, type JsonObject } from '@errand/mcp';

/** One red pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** A WAV header without samples. */
export const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

export const text = (value: string): JsonObject => ({ type: 'text', text: value });
export const image: JsonObject = { type: 'image', data: PNG, mimeType: 'image/png' };

export const says = (...content: readonly JsonObject[]): ContentAnswer => ({ kind: 'content', content });

export const asks = (requests: Readonly<Record<string, InputRequest>>, state?: string): InputRequired => ({
  kind: 'input_required',
  requests,
  ...(state !== undefined && { state }),
});

/** A form for the user with these fields, all of them required. */
export const form = (message: string, properties: JsonObject): InputRequest => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties, required: Object.keys(properties) } },
});

export const sample = (prompt: string, maxTokens: number): InputRequest => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: text(prompt) }], maxTokens },
});

export const roots: InputRequest = { method: 'roots/list', params: {} };

/** What the user filled in; undefined when the form was not accepted. */
export function filledIn(response: unknown): JsonObject | undefined {
  if (!isObject(response)) return undefined;
  const { action, content }: { readonly action?: unknown; readonly content?: unknown } = response;
  return action === 'accept' && isObject(content) ? content : undefined;
}

/** The text that a model answered with. */
export function sampledText(response: unknown): string | undefined {
  const { content }: { readonly content?: unknown } = isObject(response) ? response : {};
  const { text: value }: { readonly text?: unknown } = isObject(content) ? content : {};
  return typeof value === 'string' ? value : undefined;
}
