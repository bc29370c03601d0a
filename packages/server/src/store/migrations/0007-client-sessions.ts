import type { Migration } from './migration.ts';

export const clientSessions: Migration = {
  name: '0007-client-sessions',
  text: ({ text, bigint }) => `
create table client_sessions (
  id ${text} primary key,
  owner ${text} not null,
  facts ${text} not null,
  tasks_made ${bigint} not null,
  created_at ${bigint} not null,
  seen_at ${bigint} not null
);
create index client_sessions_of_owner on client_sessions (owner, seen_at);
create index idle_client_sessions on client_sessions (seen_at);

create table client_questions (
  session_id ${text} not null references client_sessions (id) on delete cascade,
  question_id ${text} not null,
  holder ${text} not null,
  held_until ${bigint} not null,
  primary key (session_id, question_id)
);
create index client_questions_of_holder on client_questions (holder);
`,
};
