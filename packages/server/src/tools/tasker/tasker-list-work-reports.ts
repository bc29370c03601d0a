import { z } from 'zod';
import { defineTool } from '#tools/define';
import { pageInput, pageOutput } from '#tools/paging';
import { rfc3339, time } from '#tools/time';
import { taskerFields } from './fields.ts';
import { author, truncated, truncatedOf } from './present.ts';

export const taskerListWorkReports = defineTool({
  name: 'tasker_list_work_reports',
  title: 'List work reports',
  description: 'Lists the reports of finished work sessions in a project, newest first.',
  scope: 'project:read',
  effect: 'read',
  project: 'project_id',
  route: 'GET /tasker/projects/{project_id}/work-reports',
  input: z.object({
    project_id: taskerFields.project_id,
    include: z
      .array(z.enum(['summaries']))
      .max(1)
      .optional()
      .describe('["summaries"]: every summary whole.'),
    ...pageInput,
  }),
  output: z.object({
    reports: z
      .array(
        z.object({
          work_session_id: z.string().describe('Work session.'),
          issue_id: z.string().optional().describe('Issue; left out for work on the whole project.'),
          author: author.optional(),
          started_at: time.describe('Begin (RFC 3339).'),
          ended_at: time.describe('End (RFC 3339).'),
          summary: z.string().describe('What was done and checked; its beginning when it is long.'),
        }),
      )
      .describe('The reports.'),
    truncated,
    ...pageOutput,
  }),
  run: async ({ input: { include, ...input }, work, services }) => {
    const { rows, ...more } = await services.tasker.reports.list(work, { ...input, is_whole: include !== undefined });
    return {
      reports: rows.map(({ id, work_item_id, reporter, started_at, ended_at, summary }) => ({
        work_session_id: id,
        ...(work_item_id !== null && { issue_id: work_item_id }),
        ...(reporter !== null && { author: reporter }),
        started_at: rfc3339(started_at),
        ended_at: rfc3339(ended_at),
        summary,
      })),
      ...truncatedOf(rows.some(({ is_cut }) => is_cut) ? ['summary'] : []),
      ...more,
    };
  },
});
