import type { ClientQuestion, ClientSession } from '#domain/client-session';
import { type Clocked, clocked } from '#store/sql/clocked';
import { insertion, named } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';

const COLUMNS = [
  'id',
  'owner',
  'facts',
  'tasks_made',
  'created_at',
  'seen_at',
] as const satisfies readonly (keyof ClientSession)[];

type Id = Pick<ClientSession, 'id'>;
type Owned = Pick<ClientSession, 'id' | 'owner'>;

const find = clocked<Owned & { readonly idle_ms: number }, ClientSession>(
  (now) => `
    select ${named(COLUMNS)} from client_sessions
    where id = :id and owner = :owner and seen_at > ${now} - :idle_ms`,
);

const tasksMade = statement<{ readonly ids: string }, Pick<ClientSession, 'id' | 'tasks_made'>>(
  ({ listed }) => `select id, tasks_made from client_sessions where id in ${listed('ids')}`,
);

const count = statement<object, { readonly count: number }>('select count(*) as count from client_sessions');

const insert = insertion('client_sessions', COLUMNS);

const keepNewest = statement<Pick<ClientSession, 'owner'> & { readonly most: number }, never>(`
  delete from client_sessions
  where owner = :owner and id not in (
    select id from client_sessions where owner = :owner order by seen_at desc, created_at desc, id desc limit :most)`);

const touch = statement<Id & { readonly now: number }, never>(
  'update client_sessions set seen_at = :now where id = :id',
);

const addTask = statement<Id, never>('update client_sessions set tasks_made = tasks_made + 1 where id = :id');

const remove = statement<Owned, never>('delete from client_sessions where id = :id and owner = :owner');

const sweep = statement<{ readonly before: number; readonly limit: number }, never>(`
  delete from client_sessions
  where id in (select id from client_sessions where seen_at < :before order by seen_at limit :limit)`);

const claimQuestion = statement<ClientQuestion & { readonly now: number }, never>(`
  insert into client_questions (session_id, question_id, holder, held_until)
  select cast(:session_id as text), cast(:question_id as text), cast(:holder as text), cast(:held_until as bigint)
  where exists (select 1 from client_sessions where id = :session_id)
  on conflict (session_id, question_id)
  do update set holder = excluded.holder, held_until = excluded.held_until
  where client_questions.holder = excluded.holder or client_questions.held_until <= :now`);

const renewQuestions = statement<Pick<ClientQuestion, 'holder' | 'held_until'>, never>(
  'update client_questions set held_until = :held_until where holder = :holder',
);

const releaseQuestion = statement<Omit<ClientQuestion, 'held_until'>, never>(`
  delete from client_questions
  where session_id = :session_id and question_id = :question_id and holder = :holder`);

const sweepQuestions = statement<{ readonly before: number }, never>(
  'delete from client_questions where held_until < :before',
);

const sessionsOf = (
  session: Session,
  clock: () => number,
  when: keyof Clocked<object, never>,
): Reads['clientSessions'] => ({
  find: (owner, id, idle_ms) => session.get(find[when], { owner, id, idle_ms, now: clock() }),
  ofServer: { tasksMade: (ids) => session.all(tasksMade, { ids: JSON.stringify(ids) }) },
});

export const clientSessionReads = (session: Session, clock: () => number): Reads['clientSessions'] =>
  sessionsOf(session, clock, 'current');

export const clientSessionWrites = (session: WriteSession): Transaction['clientSessions'] => {
  const { find: ofOwner, ofServer } = sessionsOf(session, () => session.now, 'at');
  return {
    find: ofOwner,
    count: async () => (await session.get(count, {}))?.count ?? 0,
    insert: (row) => session.write(insert, row),
    keepNewest: (owner, most) => session.write(keepNewest, { owner, most }),
    remove: (owner, id) => session.write(remove, { owner, id }),
    sweep: (before, limit) => session.run(sweep, { before, limit }),
    sweepQuestions: (before) => session.write(sweepQuestions, { before }),
    ofServer: {
      ...ofServer,
      touch: (id) => session.write(touch, { id, now: session.now }),
      addTask: (id) => session.write(addTask, { id }),
      claimQuestion: async (question) => (await session.run(claimQuestion, { ...question, now: session.now })) > 0,
      renewQuestions: (holder, held_until) => session.write(renewQuestions, { holder, held_until }),
      releaseQuestion: (question) => session.write(releaseQuestion, question),
    },
  };
};
