import { type Dialect, plainStatement, type Statement } from './statement.ts';

interface Now {
  readonly now: number;
}

type AskingTime<Params extends object, Row> = Statement<Params & Now, Row>;

/** A question about the store's time. */
export interface Clocked<Params extends object, Row> {
  /** Within a transaction, which has one time. */
  readonly at: AskingTime<Params, Row>;
  /** Outside of one. Only a server has a clock that several machines share; a file is as old as the machine says. */
  readonly current: AskingTime<Params, Row>;
}

const SERVER_TIME = '(extract(epoch from statement_timestamp()) * 1000)::bigint';

export const clocked = <Params extends object, Row>(
  words: (dialect: Dialect, now: string) => string,
): Clocked<Params, Row> => ({
  at: plainStatement({ sqlite: words('sqlite', ':now'), postgres: words('postgres', ':now::bigint') }),
  current: plainStatement({ sqlite: words('sqlite', ':now'), postgres: words('postgres', SERVER_TIME) }),
});
