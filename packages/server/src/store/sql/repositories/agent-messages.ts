import type { AgentMessage } from '#domain/agent-message';
import { change, named } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { StoredAgentMessage } from '#store/sql/tables';
import { writeNumbered } from '#store/sql/write-numbered';
import type { Reads, Transaction } from '#store/store';
import { OF_ATTEMPT, type OfAttempt } from './attempt-within.ts';

const COLUMNS = [
  'id',
  'workspace_id',
  'project_id',
  'attempt_id',
  'seq',
  'source',
  'text',
  'approval_id',
  'interrupt',
  'may_run',
  'status',
  'execution_id',
  'user_id',
  'agent_id',
  'created_at',
  'delivered_at',
  'read_at',
] as const satisfies readonly (keyof StoredAgentMessage)[];

// The condition is that of the index `queued_messages`.
const unread = statement<OfAttempt, StoredAgentMessage>(`
  select ${named(COLUMNS)} from agent_messages
  where ${OF_ATTEMPT} and status in ('queued', 'delivered') order by seq`);

const madeAt = statement<OfAttempt & { readonly times: string }, StoredAgentMessage>(
  ({ tableOf }) => `
    select ${named(COLUMNS)} from agent_messages
    where ${OF_ATTEMPT} and created_at in (select cast(made.value as bigint) from ${tableOf('times', 'made')})
    order by seq`,
);

const NEXT = '(select coalesce(max(seq), 0) + 1 from agent_messages where attempt_id = :attempt_id)';

const insert = statement<Omit<StoredAgentMessage, 'seq'>, { readonly seq: number }>(`
  insert into agent_messages (${named(COLUMNS)})
  values (${COLUMNS.map((name) => (name === 'seq' ? NEXT : `:${name}`)).join(', ')})
  returning seq`);

const update = change('agent_messages', ['id', 'attempt_id'], ['status', 'execution_id', 'delivered_at', 'read_at']);

const read = (row: StoredAgentMessage): AgentMessage => ({
  ...row,
  interrupt: row.interrupt === 1,
  may_run: row.may_run === 1,
});
const stored = <Of extends Pick<AgentMessage, 'interrupt' | 'may_run'>>(message: Of) => ({
  ...message,
  interrupt: message.interrupt ? 1 : 0,
  may_run: message.may_run ? 1 : 0,
});

export const agentMessageReads = (session: Session): Reads['agentMessages'] => ({
  unread: async ({ id, workspace_id }) => (await session.all(unread, { attempt_id: id, workspace_id })).map(read),
  madeAt: async ({ id, workspace_id }, times) =>
    (await session.all(madeAt, { attempt_id: id, workspace_id, times: JSON.stringify(times) })).map(read),
});

export const agentMessageWrites = (session: WriteSession): Transaction['agentMessages'] => ({
  ...agentMessageReads(session),
  insert: async (message) => ({ ...message, seq: await writeNumbered(session, insert, stored(message)) }),
  update: (message) => session.write(update, stored(message)),
});
