const TODO = {
  'US1-1': 'Adding a task with a title answers its id, the status "created" and the title.',
  'US1-2': 'A description given with the title is kept with it.',
  'US1-3': 'An empty title is refused with VALIDATION_ERROR and words that a person understands.',

  'US2-1': 'Listing with status "all" answers pending and completed tasks.',
  'US2-2': 'Listing with status "pending" answers the pending tasks only.',
  'US2-3': 'A user without tasks gets an empty list, not an error.',
  'US2-4': 'A list holds the tasks of the named user and nobody else’s.',

  'US3-1': 'Completing a pending task makes it completed, and the answer says so.',
  'US3-2': 'Completing a completed task makes it pending again.',
  'US3-3': 'Completing an unknown task answers TASK_NOT_FOUND.',
  'US3-4': 'Completing another user’s task answers UNAUTHORIZED.',

  'US4-1': 'Deleting a task removes it for good, and the answer confirms it.',
  'US4-2': 'Deleting an unknown task answers TASK_NOT_FOUND.',
  'US4-3': 'Deleting another user’s task answers UNAUTHORIZED.',

  'US5-1': 'Updating the title changes it, and the answer confirms it.',
  'US5-2': 'Updating can add a description to a task that had none.',
  'US5-3': 'An update without a change answers VALIDATION_ERROR and says that nothing was given to change.',
  'US5-4': 'Updating another user’s task answers UNAUTHORIZED.',

  'EDGE-1': 'While the database is away calls answer DATABASE_ERROR with advice when to try again.',
  'EDGE-2': 'A title that is too long is refused before the database is touched.',
  'EDGE-3': 'Two agents that change one task at once leave it as one of them wrote it, never a mixture.',
  'EDGE-4': 'Any text of Unicode comes back as it was sent, and none of it is taken for a command.',
  'EDGE-5': 'A user id that is null, empty or missing answers VALIDATION_ERROR.',

  'FR-001': 'Exactly five tools are offered: add_task, list_tasks, complete_task, delete_task, update_task.',
  'FR-002': 'Tools are listed and called as the MCP specification says.',
  'FR-003': 'No request depends on memory of an earlier one.',
  'FR-004': 'All data is in the database.',
  'FR-005': 'Every error has a code and a message, and details where they help.',

  'FR-010': 'add_task takes user_id and title, and optionally description.',
  'FR-011': 'A title has 1 to 200 characters.',
  'FR-012': 'A description has at most 1000 characters.',
  'FR-013': 'add_task answers task_id, status "created" and title.',
  'FR-014': 'A new task belongs to the user that was named.',

  'FR-020': 'list_tasks takes user_id, and optionally a status: all, pending or completed.',
  'FR-021': 'Without a status list_tasks answers all tasks.',
  'FR-022': 'list_tasks answers only tasks of the named user.',
  'FR-023': 'Each listed task has id, title, description and completed.',
  'FR-024': 'list_tasks answers an empty array for a user without tasks.',

  'FR-030': 'complete_task takes user_id and task_id.',
  'FR-031': 'complete_task turns pending into completed, and completed into pending.',
  'FR-032': 'complete_task changes a task only for the user it belongs to.',
  'FR-033': 'complete_task answers the status that the task has now.',

  'FR-040': 'delete_task takes user_id and task_id.',
  'FR-041': 'delete_task removes the task from the database for good.',
  'FR-042': 'delete_task removes a task only for the user it belongs to.',
  'FR-043': 'delete_task answers id and title of the task that it removed.',

  'FR-050': 'update_task takes user_id and task_id, and optionally title and description.',
  'FR-051': 'update_task needs a title or a description.',
  'FR-052': 'update_task holds title and description to the rules of add_task.',
  'FR-053': 'update_task changes a task only for the user it belongs to.',
  'FR-054': 'update_task answers the task as it is now.',

  'FR-060': 'The user id is checked on every call.',
  'FR-061': 'No user reaches data of another.',
  'FR-062': 'No input is taken for a part of a command.',

  'FR-065': 'Every call leaves a line of JSON on stdout.',
  'FR-066': 'The line names tool, user, latency in milliseconds and outcome.',
  'FR-067': 'The line of a failed call has the correlation id that its caller was given.',

  'FR-070': 'Every call belongs to a stored conversation of its user.',
  'FR-071': 'Every call leaves messages in its conversation.',
  'FR-072': 'Todos are kept in the one table of work items that everything else uses.',

  'SC-001': 'All five tools answer within 500 milliseconds under normal load.',
  'SC-002': 'Fifty calls at once all succeed and corrupt nothing.',
  'SC-003': 'Every valid call succeeds and is kept.',
  'SC-004': 'Every attempt at another user’s tasks is refused with the fitting error.',
  'SC-005': 'Restarts lose nothing.',
  'SC-006': 'Unit tests cover at least 80 % of the tools.',
  'SC-007': 'An agent built with the OpenAI Agents SDK calls all five tools.',
} as const;

export type RequirementId = keyof typeof TODO;

export interface Requirement {
  readonly id: RequirementId;
  readonly source: string;
  readonly behaviour: string;
}

/**
 * What Errand owes to its specifications, in our words. Scenarios and tests cite the ids in square brackets; an id that
 * nothing cites, and a citation of an unknown id, both fail the build.
 */
export const REQUIREMENTS: readonly Requirement[] = Object.entries(TODO).map(([id, behaviour]) => ({
  id: id as RequirementId, // `entries` forgets the keys of a constant
  source: 'MCP Server for Todo Operations',
  behaviour,
}));
