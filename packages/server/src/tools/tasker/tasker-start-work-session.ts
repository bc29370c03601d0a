import { z } from 'zod';
import { defineTool } from '#tools/define';
import { taskerFields } from './fields.ts';
import { sessionOf, workSession } from './present.ts';

export const taskerStartWorkSession = defineTool({
  name: 'tasker_start_work_session',
  title: 'Start a work session',
  description: 'Starts work on an issue, or on a whole project. tasker_finish_work_session ends it with a report.',
  scope: 'issue:comment',
  effect: 'create',
  key: 'required',
  tracker: true,
  project: 'project_id',
  route: 'POST /tasker/work-sessions',
  input: z.object({
    project_id: taskerFields.project_id
      .optional()
      .describe('Project; that of the issue, or the only one granted, unless given.'),
    issue_id: taskerFields.issue_id.optional().describe('Issue; left out for a whole project.'),
  }),
  output: z.object({ work_session: workSession }),
  event: 'own',
  entity: (_input, { work_session }) => ({ kind: 'execution', id: work_session.id }),
  run: async ({ input, work, services }) => ({
    work_session: sessionOf(await services.tasker.sessions.start(work, input)),
  }),
});
