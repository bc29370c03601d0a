import { elicitation, type InputRequest, image, isObject, type JsonObject, sampling, text } from '@errand/mcp';

/** One red pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** A WAV header without samples. */
export const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

export const pixel = image(PNG, 'image/png');

/** A form with these fields, all of them required. */
export const form = (message: string, properties: JsonObject) =>
  elicitation(message, { type: 'object', properties, required: Object.keys(properties) });

export const sample = (prompt: string, maxTokens: number): InputRequest =>
  sampling({ messages: [{ role: 'user', content: text(prompt) }], maxTokens });

/** The content of an accepted form; undefined when it was not accepted. */
export function filledIn(response: unknown): JsonObject | undefined {
  if (!isObject(response)) return undefined;
  const { action, content }: { readonly action?: unknown; readonly content?: unknown } = response;
  return action === 'accept' && isObject(content) ? content : undefined;
}

/** The text of a sampled answer. */
export function sampledText(response: unknown): string | undefined {
  const { content }: { readonly content?: unknown } = isObject(response) ? response : {};
  const { text: value }: { readonly text?: unknown } = isObject(content) ? content : {};
  return typeof value === 'string' ? value : undefined;
}
