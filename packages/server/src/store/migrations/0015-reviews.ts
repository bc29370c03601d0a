import type { Migration } from './migration.ts';

/** Comments on lines of an attempt's changes. */
export const reviews: Migration = {
  name: '0015-reviews',
  text: ({ text, bigint }) => `
create table review_comments (
  id ${text} primary key,
  workspace_id ${text} not null references workspaces (id),
  project_id ${text} not null references projects (id),
  attempt_id ${text} not null references attempts (id) on delete cascade,
  number ${bigint} not null,
  repo_id ${text} not null references repos (id),
  path ${text} not null,
  side ${text} not null,
  line ${bigint} not null,
  line_text ${text},
  commit_id ${text} not null,
  text ${text} not null,
  status ${text} not null,
  current_path ${text} not null,
  current_line ${bigint},
  current_commit ${text} not null,
  is_outdated ${bigint} not null,
  author_user_id ${text} not null references users (id),
  author_agent_id ${text} references agents (id),
  follow_up_id ${text},
  note ${text},
  resolved_by_user_id ${text} references users (id),
  resolved_by_agent_id ${text} references agents (id),
  created_at ${bigint} not null,
  resolved_at ${bigint}
);
create unique index comment_of_number on review_comments (attempt_id, number);
`,
};
