import type { Migration } from './migration.ts';

/** The commands that judged a run, each with its end. */
export const checks: Migration = {
  name: '0014-checks',
  text: ({ text, bigint }) => `
create table checks (
  execution_id ${text} not null references executions (id) on delete cascade,
  seq ${bigint} not null,
  attempt_id ${text} not null references attempts (id) on delete cascade,
  name ${text} not null,
  repo_id ${text} references repos (id),
  command ${text} not null,
  status ${text} not null,
  exit_code ${bigint},
  started_at ${bigint} not null,
  ended_at ${bigint},
  output ${text} not null,
  step_id ${text} not null,
  primary key (execution_id, seq)
);
create index checks_of_attempt on checks (attempt_id, execution_id, seq);
`,
};
