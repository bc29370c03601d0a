import type { Play } from './script.ts';

export interface Asked {
  /** Of the address, without query. */
  readonly path: string;
  readonly body: unknown;
}

/** An answer: one JSON body, or the events of a stream. */
export type Answer = { readonly json: unknown } | { readonly events: readonly string[] };

/** How one maker of models is spoken to. */
export interface Dialect {
  readonly speaks: (path: string) => boolean;
  readonly answer: (asked: Asked, play: Play) => Answer;
}

/** One server-sent event; some clients read its kind from its name, others from its data. */
export const namedEvent = (data: { readonly type: string }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

export const bareEvent = (data: unknown): string =>
  `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
