import type { Migration } from './migration.ts';

/** Keeps messages and the audit trail small: finds old conversations by age, and counts repeated refusals. */
export const growth: Migration = {
  name: '0006-growth',
  text: ({ text, bigint }) => `
create index conversations_by_activity on conversations (last_activity_at);
alter table audit_events add column reason ${text};
alter table audit_events add column repeats ${bigint};
`,
};
