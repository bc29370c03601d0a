import { z } from 'zod';
import { defineTool } from '#tools/define';
import { pageInput, pageOutput } from '#tools/paging';
import { time } from '#tools/time';
import { adminFields, auditFields, auditRow } from './fields.ts';

// The most wanted columns come first: the command line shows a table.
const { seq, at, action, outcome, entity, entity_id, ...others } = auditFields;

export const listAudit = defineTool({
  name: 'list_audit',
  title: 'List the audit trail',
  description: 'Lists who did what, newest first: every change, and every call that was refused for lack of rights.',
  scope: 'admin',
  effect: 'read',
  route: 'GET /audit',
  cli: { command: 'audit list', flags: { agent_id: 'agent', user_id: 'user', entity_id: 'entity' } },
  input: z.object({
    agent_id: adminFields.agent_id.optional().describe('Only what this agent did, by name or id.'),
    user_id: adminFields.user_id.optional().describe('Only what this user or their agents did, by name or id.'),
    action: z.string().min(1).max(100).optional().describe('Only calls of this tool, such as tasker_create_issue.'),
    entity_id: z.string().min(1).max(200).optional().describe('Only what was done to the thing with this id.'),
    since: time.optional().describe('Only what was done at this time or later, such as 2026-11-19T00:00:00Z.'),
    outcome: z.enum(['ok', 'denied']).optional().describe('Only what was done ("ok"), or only what was refused.'),
    ...pageInput,
  }),
  output: z.object({
    entries: z
      .array(
        z.object({
          seq,
          at,
          user_name: z
            .string()
            .nullable()
            .describe('The user who did it, or whose agent did it; null if the user no longer exists.'),
          agent_name: z.string().nullable().describe('The agent that did it; null when it was none.'),
          action,
          outcome,
          entity,
          entity_id,
          entity_name: z
            .string()
            .nullable()
            .describe('What people call it now, such as WEB-12; null for what has no name, or is gone.'),
          entity_title: z.string().nullable().describe('The title of its task; null for what belongs to none.'),
          entity_project: z.string().nullable().describe('The key of its project; null for what belongs to none.'),
          entity_words: z
            .string()
            .nullable()
            .describe('What it says now, if it is a question, a message or a comment: the first 200 characters.'),
          entity_answer: z.string().nullable().describe('What was answered to a question; null for none.'),
          ...others,
        }),
      )
      .describe('The entries, newest first.'),
    ...pageOutput,
  }),
  run: async ({ input, work, services }) => {
    const { rows, ...more } = await services.audit.list(work, input);
    return {
      entries: rows.map((row) => ({
        ...auditRow(row),
        user_name: row.user_name,
        agent_name: row.agent_name,
        entity_name: row.entity_name,
        entity_title: row.entity_title,
        entity_project: row.entity_project,
        entity_words: row.entity_words,
        entity_answer: row.entity_answer,
      })),
      ...more,
    };
  },
});
