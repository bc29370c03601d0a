import type { ColumnTypes, Migration } from './migration.ts';

const MESSAGES = ({ text, bigint }: ColumnTypes): string => `
create table agent_messages (
  id ${text} primary key,
  workspace_id ${text} not null references workspaces (id),
  project_id ${text} not null references projects (id),
  attempt_id ${text} not null references attempts (id) on delete cascade,
  seq ${bigint} not null,
  source ${text} not null,
  text ${text} not null,
  approval_id ${text},
  interrupt ${bigint} not null,
  status ${text} not null,
  execution_id ${text},
  user_id ${text} not null references users (id),
  agent_id ${text} references agents (id),
  created_at ${bigint} not null,
  delivered_at ${bigint},
  read_at ${bigint}
);
create unique index message_of_number on agent_messages (attempt_id, seq);
create index queued_messages on agent_messages (attempt_id, seq) where status in ('queued', 'delivered');
`;

const ADDED = ({ text }: ColumnTypes): readonly string[] => [
  `workspace_id ${text} references workspaces (id)`,
  `project_id ${text} references projects (id)`,
  `work_item_id ${text} references work_items (id) on delete cascade`,
  `origin ${text} not null default 'protocol'`,
  `asked_by_user_id ${text} references users (id)`,
  `asked_by_agent_id ${text} references agents (id)`,
];

const COPIED =
  'id, execution_id, attempt_id, kind, question, details, options, status, option, answer, answered_by_user_id, answered_by_agent_id, created_at, answered_at';

// SQLite cannot take a constraint from a column: the table is created again, with the old columns in their old order.
const REBUILT = (types: ColumnTypes): string => `
create table new_approvals (
  id ${types.text} primary key,
  execution_id ${types.text} references executions (id) on delete cascade,
  attempt_id ${types.text} references attempts (id) on delete cascade,
  kind ${types.text} not null,
  question ${types.text} not null,
  details ${types.text},
  options ${types.text} not null,
  status ${types.text} not null,
  option ${types.text},
  answer ${types.text},
  answered_by_user_id ${types.text} references users (id),
  answered_by_agent_id ${types.text} references agents (id),
  created_at ${types.bigint} not null,
  answered_at ${types.bigint},
  ${ADDED(types).join(',\n  ')}
);
insert into new_approvals (${COPIED}) select ${COPIED} from approvals;
drop table approvals;
alter table new_approvals rename to approvals;
create index approvals_of_attempt on approvals (attempt_id, status, created_at, id);
create index approvals_of_run on approvals (execution_id, created_at, id);
create index pending_approvals on approvals (execution_id) where status = 'pending';
`;

const ALTERED = (types: ColumnTypes): string => `
alter table approvals alter column execution_id drop not null;
alter table approvals alter column attempt_id drop not null;
${ADDED(types)
  .map((column) => `alter table approvals add column ${column};`)
  .join('\n')}
`;

// Rows of an older server name their attempt alone: readers take the project of the attempt for them.
const OWNED = `
update approvals set workspace_id = attempts.workspace_id, project_id = attempts.project_id,
  work_item_id = attempts.work_item_id
from attempts where attempts.id = approvals.attempt_id;
create index open_questions on approvals (project_id, created_at, id) where status = 'pending';
create index questions_of_item on approvals (work_item_id) where work_item_id is not null;
`;

/** Messages to running agents, and questions that belong to a task alone. */
export const messages: Migration = {
  name: '0017-messages',
  text: (types) => `
${MESSAGES(types)}
${types.dialect === 'sqlite' ? REBUILT(types) : ALTERED(types)}
${OWNED}
`,
};
