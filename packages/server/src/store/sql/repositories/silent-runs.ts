import type { Liveness, Run } from '#domain/run';
import { LIMIT } from '#store/sql/page';
import type { Session, WriteSession } from '#store/sql/session';
import { type Statement, statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';
import { RUN_COLUMNS, SEEN_AT } from './run-lists.ts';

interface Marks {
  readonly live: Liveness;
  readonly quiet: Liveness;
}

/** The marks that silent runs still need. */
const marksBefore = (liveness: Exclude<Liveness, 'live'>): Marks => ({
  live: 'live',
  quiet: liveness === 'stalled' ? 'quiet' : 'live',
});

// A run that waits for an answer is not silent.
const silentRuns = (columns: string, seen_before: string): string => `
  select ${columns} from executions
  where status = 'running' and liveness in (:live, :quiet) and ${SEEN_AT} < ${seen_before}
    and not exists (
      select 1 from approvals where approvals.execution_id = executions.id and approvals.status = 'pending')
  ${LIMIT}`;

interface SilentQuery extends Marks {
  readonly seen_before: number;
  readonly limit: number;
}

const silent = statement<SilentQuery, Run>(silentRuns(RUN_COLUMNS, ':seen_before'));

type AnySilent = Statement<SilentQuery & { readonly silent_ms: number }, Pick<Run, 'id'>>;

const anySilentAt: AnySilent = statement(silentRuns('id', ':seen_before'));

// Outside of a transaction the server's time was not asked for yet.
const anySilentNow: AnySilent = statement(({ dialect, server_time }) =>
  silentRuns('id', dialect === 'sqlite' ? ':seen_before' : `${server_time} - :silent_ms`),
);

const hasSilent =
  (session: Session, anySilent: AnySilent, clock: () => number): Reads['runs']['hasSilent'] =>
  async ({ silent_ms, liveness }) => {
    const query = { ...marksBefore(liveness), seen_before: clock() - silent_ms, silent_ms, limit: 1 };
    return (await session.get(anySilent, query)) !== null;
  };

export const silentReads = (session: Session, clock: () => number): Pick<Reads['runs'], 'hasSilent'> => ({
  hasSilent: hasSilent(session, anySilentNow, clock),
});

export const silentWrites = (session: WriteSession): Pick<Transaction['runs'], 'hasSilent' | 'silent'> => ({
  hasSilent: hasSilent(session, anySilentAt, () => session.now),
  silent: ({ seen_before, liveness, limit }) => session.all(silent, { ...marksBefore(liveness), seen_before, limit }),
});
