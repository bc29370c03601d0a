import { z } from 'zod';
import { fitting } from '#domain/answer-size';
import { CompletionGate, StateGroup } from '#domain/project';
import { Priority } from '#domain/work-item';
import type { Services } from '#services/services';
import { rfc3339, time } from '#tools/time';

type Row = Awaited<ReturnType<Services['tasker']['issues']['search']>>['rows'][number];
export type Issue = Awaited<ReturnType<Services['tasker']['issues']['create']>>;

const state = z
  .object({
    id: z.string().describe('The id of the state.'),
    name: z.string().describe('The name of the state.'),
    group: StateGroup.describe('What kind of state it is.'),
  })
  .describe('The state that the issue is in.');

/** An issue as lists show it. */
export const issueRow = {
  id: z.string().describe('The id of the issue.'),
  project_id: z.string().describe('The id of its project.'),
  name: z.string().describe('What the issue is about, as its author put it.'),
  state,
  priority: Priority.describe('How urgent it is.'),
  target_date: z.string().optional().describe('When it should be done, as YYYY-MM-DD; left out when there is no date.'),
  updated_at: time.describe('When it was changed last (RFC 3339).'),
};

export const version = z
  .number()
  .optional()
  .describe('Goes up with every change: pass it as expected_version. Left out where the tracker keeps none.');

/** An issue as writes answer it. */
export const writtenIssue = z.object({ ...issueRow, version }).describe('The issue as it is now.');

export const author = z
  .object({
    kind: z.enum(['user', 'agent']).describe('"user" for a person, "agent" for a program.'),
    id: z.string().describe('The id of the user or agent.'),
    name: z.string().describe('Their name.'),
  })
  .describe('Who wrote it; left out when nobody knows.');

export const named = z.object({ id: z.string().describe('The id.'), name: z.string().describe('The name.') });

export const truncated = z
  .array(z.string())
  .optional()
  .describe('What was shortened to keep the answer small; left out when nothing was.');

export const rowOf = ({ id, project_id, name, state, priority, target_date, updated_at }: Omit<Row, 'position'>) => ({
  id,
  project_id,
  name,
  state,
  priority,
  ...(target_date !== null && { target_date }),
  updated_at: rfc3339(updated_at),
});

export const writtenOf = (issue: Issue) => ({
  ...rowOf(issue),
  ...(issue.version !== null && { version: issue.version }),
});

type Session = Awaited<ReturnType<Services['tasker']['sessions']['start']>>;

export const workSession = z
  .object({
    id: z.string().describe('The id of the work session.'),
    project_id: z.string().describe('The id of its project.'),
    issue_id: z.string().optional().describe('The id of its issue; left out for work on a whole project.'),
    status: z.enum(['running', 'completed']).describe('"running" until it is finished.'),
    started_at: time.describe('When it began (RFC 3339).'),
    ended_at: time.optional().describe('When it was finished (RFC 3339); left out while it runs.'),
  })
  .describe('The work session.');

export const sessionOf = ({ id, project_id, work_item_id, started_at, ended_at }: Session) => ({
  id,
  project_id,
  ...(work_item_id !== null && { issue_id: work_item_id }),
  status: ended_at === null ? ('running' as const) : ('completed' as const),
  started_at: rfc3339(started_at),
  ...(ended_at !== null && { ended_at: rfc3339(ended_at) }),
});

type GrantedProject = Pick<
  Awaited<ReturnType<Services['tasker']['projects']['list']>>['rows'][number],
  'project' | 'rights'
>;

export const projectAnswer = z.object({
  id: z.string().describe('The id of the project.'),
  name: z.string().describe('The name of the project.'),
  kind: z.enum(['team', 'personal']).describe('"team", or "personal" for the todo list of a person.'),
  completion_gate: CompletionGate.describe('"checkers" when every checker item must be ticked before completion.'),
  can_complete: z.boolean().describe('Whether you may move issues to a completed state.'),
  can_cancel: z.boolean().describe('Whether you may move issues to a cancelled state.'),
});

export const projectOf = ({ project, rights: { can_complete, can_cancel } }: GrantedProject) => ({
  id: project.id,
  name: project.name,
  kind: project.kind,
  completion_gate: project.completion_gate,
  can_complete,
  can_cancel,
});

/** As many rows as fit, and the name of the list when some do not. */
export function shortList<R>(list: string, rows: readonly R[], characters: number) {
  const shown = rows.slice(0, fitting(rows, characters));
  return { shown, truncated: shown.length < rows.length ? [list] : [] };
}

export const truncatedOf = (names: readonly string[]): { readonly truncated?: string[] } =>
  names.length === 0 ? {} : { truncated: [...names] };
