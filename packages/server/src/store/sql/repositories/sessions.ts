import type { Session as AgentSession, QueuedPrompt } from '#domain/attempt';
import type { QueuedPromptId, SessionId } from '#domain/ids';
import { change, insertion, named } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { StoredPrompt } from '#store/sql/tables';
import type { Reads, Transaction } from '#store/store';
import { attemptWithin, OF_ATTEMPT, type OfAttempt } from './attempt-within.ts';

const COLUMNS = [
  'id',
  'attempt_id',
  'executor',
  'variant',
  'agent_session_id',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof AgentSession)[];

const PROMPT_COLUMNS = [
  'id',
  'session_id',
  'prompt',
  'variant',
  'status',
  'execution_id',
  'user_id',
  'agent_id',
  'may_run',
  'created_at',
] as const satisfies readonly (keyof QueuedPrompt)[];

const ofAttempt = statement<OfAttempt, AgentSession>(
  `select ${named(COLUMNS)} from sessions where ${OF_ATTEMPT} order by created_at desc, id`,
);

const find = statement<{ readonly id: SessionId }, AgentSession>(
  `select ${named(COLUMNS)} from sessions where id = :id`,
);

interface OfSession extends OfAttempt {
  readonly session_id: SessionId;
}

const PROMPT = `
  select ${named(PROMPT_COLUMNS)} from queued_prompts
  where session_id = (select id from sessions where id = :session_id and ${OF_ATTEMPT})`;

const queued = statement<OfSession, StoredPrompt>(`${PROMPT} and status = 'queued' order by created_at, id`);

const prompt = statement<OfSession & { readonly id: QueuedPromptId }, StoredPrompt>(`${PROMPT} and id = :id`);

const insert = insertion('sessions', COLUMNS);
const update = change('sessions', ['id', 'attempt_id'], ['variant', 'agent_session_id', 'updated_at']);
const insertPrompt = insertion('queued_prompts', PROMPT_COLUMNS);
const updatePrompt = change('queued_prompts', ['id', 'session_id'], ['status', 'execution_id']);

const readPrompt = (row: StoredPrompt): QueuedPrompt => ({ ...row, may_run: row.may_run === 1 });
const storedPrompt = (made: QueuedPrompt): StoredPrompt => ({ ...made, may_run: made.may_run ? 1 : 0 });

type SessionReads = Pick<Reads['attempts'], 'sessions' | 'session' | 'queued' | 'prompt'>;
type SessionWrites = Pick<Transaction['attempts'], 'insertSession' | 'updateSession' | 'insertPrompt' | 'updatePrompt'>;

export const sessionReads = (session: Session): SessionReads => ({
  sessions: ({ id, workspace_id }) => session.all(ofAttempt, { attempt_id: id, workspace_id }),
  session: async (within, id) => {
    const found = await session.get(find, { id });
    const attempt = found && (await attemptWithin(session, within, found.attempt_id));
    return found && attempt && { session: found, attempt };
  },
  queued: async ({ id: attempt_id, workspace_id }, session_id) =>
    (await session.all(queued, { attempt_id, workspace_id, session_id })).map(readPrompt),
  prompt: async ({ id: attempt_id, workspace_id }, session_id, id) => {
    const found = await session.get(prompt, { attempt_id, workspace_id, session_id, id });
    return found && readPrompt(found);
  },
});

export const sessionWrites = (session: WriteSession): SessionWrites => ({
  insertSession: (made) => session.write(insert, made),
  updateSession: (changed) => session.write(update, changed),
  insertPrompt: (made) => session.write(insertPrompt, storedPrompt(made)),
  updatePrompt: (changed) => session.write(updatePrompt, storedPrompt(changed)),
});
