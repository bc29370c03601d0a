import type { Words } from './dialect.ts';
import { type Statement, statement } from './statement.ts';

interface Now {
  readonly now: number;
}

type AskingTime<Params extends object, Row> = Statement<Params & Now, Row>;

/** A query that compares with the store's time. */
export interface Clocked<Params extends object, Row> {
  /** Within a transaction, which has one time. */
  readonly at: AskingTime<Params, Row>;
  /** Outside of a transaction, where the server's time was not asked for yet. */
  readonly current: AskingTime<Params, Row>;
}

export const clocked = <Params extends object, Row>(
  text: (now: string, words: Words) => string,
): Clocked<Params, Row> => ({
  at: statement((words) => text(words.bigint('now'), words)),
  current: statement((words) => text(words.server_time, words)),
});
