import type { Play } from './script.ts';

export interface Asked {
  /** The path of the URL, without the query. */
  readonly path: string;
  readonly body: unknown;
}

/** An answer: one JSON body, or the events of a stream. */
export type Answer = { readonly json: unknown } | { readonly events: readonly string[] };

/** The API format of one model provider. */
export interface Dialect {
  readonly speaks: (path: string) => boolean;
  readonly answer: (asked: Asked, play: Play) => Answer;
}

/** One server-sent event; some clients read its kind from its name, others from its data. */
export const namedEvent = (data: { readonly type: string }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

export const bareEvent = (data: unknown): string =>
  `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
