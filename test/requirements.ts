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
  'EDGE-2': 'A title of more than 200 characters is refused before any operation on the database.',
  'EDGE-3': 'Two agents that change one task at once leave it as one of them wrote it, never a mixture.',
  'EDGE-4': 'Titles may hold any visible text of Unicode, and no title is taken for a command.',
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
  'FR-067': 'The line of a failed call or refused request has the correlation id that its caller was given.',

  'FR-070': 'Every call belongs to a stored conversation of its user.',
  'FR-071': 'Every call leaves messages in its conversation.',
  'FR-072': 'Todos are kept in the one table of work items that everything else uses.',

  'SC-001': 'All five tools respond within 500 milliseconds under normal load.',
  'SC-002': 'Fifty calls at once all succeed and corrupt nothing.',
  'SC-003': 'Every valid call succeeds and is kept.',
  'SC-004': 'Every attempt at another user’s tasks is refused with the fitting error.',
  'SC-005': 'Restarts lose nothing.',
  'SC-006': 'Unit tests cover at least 80 % of the implementations of the tools.',
  'SC-007': 'An agent built with the OpenAI Agents SDK calls all five tools.',

  'CL-1': 'A conversation is used again for 30 minutes after its last activity; after that a new one begins.',
  'CL-2': 'The server of the todo profile alone listens on port 8001.',
} as const;

const TASKS = {
  'TYPE-01':
    'Task, TaskStatus, CreateTaskResult and TaskParams look on the wire exactly as the 2025-11-25 schema says.',
  'TYPE-02': 'There are five statuses, written in snake case.',
  'TYPE-03':
    'Task status state machine validates transitions: working -> {input_required, completed, failed, cancelled}, input_required -> {working, completed, failed, cancelled}, terminal states reject all transitions',
  'TYPE-04': 'Messages about a task carry the related-task metadata.',
  'TYPE-05': 'Capabilities of servers and clients have types and short ways to make them.',
  'TYPE-06': 'The parameters of tasks/get, tasks/result, tasks/list and tasks/cancel match the schema.',
  'TYPE-07': 'The status notification matches the schema.',
  'TYPE-08': 'A tool says in tools/list whether it takes, requires or forbids a task.',
  'TYPE-09': 'Failures of tasks have the JSON-RPC codes of the specification.',
  'TYPE-10': 'The key of the immediate response to the model is the one of the specification.',

  'STOR-01': 'Tasks can be created, read, listed, changed in status, variables and result, cancelled and cleaned up.',
  'STOR-02': 'Status and result are written in one atomic step.',
  'STOR-03': 'The size of variables is limited, in the same way on every backend.',
  'STOR-04': 'A record holds the fields of the protocol, owner, variables, result and method of the request.',
  'STOR-05': 'Tasks can be kept in memory.',
  'STOR-06': 'In memory, too, a transition is checked and made in one step.',
  'STOR-07': 'Poll interval and longest life are configurable.',
  'STOR-08': 'Tasks can be kept in DynamoDB, whose driver is loaded only then.',
  'STOR-09': 'In DynamoDB a transition is a conditional write.',
  'STOR-10': 'In DynamoDB tasks end by its own expiry, and are not read after their time before it has come to them.',
  'STOR-11':
    'DynamoDB backend uses GSI for owner-scoped listing with cursor-based pagination (a local index instead: decision 26)',
  'STOR-12': 'Conditional writes are not repeated by the driver, and bring back what is there when they fail.',
  'STOR-13':
    'CloudFormation template for DynamoDB table integrates with cargo-pmcp deployment plugin system (the template alone: decision 26)',

  'HNDL-01': 'A task can carry shared variables.',
  'HNDL-02': 'The client sees the variables in the metadata of answers about the task.',
  'HNDL-03': 'Merging variables adds, overwrites, and deletes by null.',
  'HNDL-04': 'The work reads and writes variables.',
  'HNDL-05': 'The work asks for input, fails and completes.',
  'HNDL-06': 'The context is shared by functions that run at the same time.',

  'INTG-01': 'A server tells its task capabilities when it is initialized, also as experimental.',
  'INTG-02': 'tools/list shows the task support of each tool.',
  'INTG-03': 'A tools/call with a task field makes a task.',
  'INTG-04': 'The task is answered at once, and the work goes on behind it.',
  'INTG-05': 'tasks/get answers the state of the task.',
  'INTG-06': 'tasks/result answers the result of a task that has ended.',
  'INTG-07': 'tasks/list answers the requestor’s tasks, page by page.',
  'INTG-08': 'tasks/cancel cancels a task that has not ended.',
  'INTG-09': 'The requested life is granted up to a maximum, and what is over is cleaned up.',
  'INTG-10': 'The four methods of tasks are served.',
  'INTG-11': 'The progress token of the call reaches the work.',
  'INTG-12': 'The answer to the creation can carry words for the model.',

  'SEC-01': 'Owner ID resolved from OAuth sub claim, client ID, or session ID (priority order)',
  'SEC-02': 'Every operation finds the owner’s tasks only.',
  'SEC-03': 'tasks/list shows the requestor’s tasks only.',
  'SEC-04': 'TaskSecurityConfig with configurable max_tasks_per_owner (default: 100)',
  'SEC-05': 'A task lives 24 hours at most, unless configured otherwise.',
  'SEC-06': 'A task lives one hour unless something else was asked for.',
  'SEC-07': 'Anonymous requestors have no tasks unless that is allowed.',
  'SEC-08': 'The id of a task is a random UUID.',

  'WKFL-01': 'A sequential workflow can be backed by a task.',
  'WKFL-02': 'Its steps read and write the variables of the task.',
  'WKFL-03': 'The output of an earlier step is found in the variables.',
  'WKFL-04': 'A step that needs the client moves the task to input_required.',

  'TEST-01': 'Protocol type serialization tests (all types round-trip correctly)',
  'TEST-02': 'State machine transition tests (valid and invalid transitions, terminal state enforcement)',
  'TEST-03': 'The context is tested: variables, transitions, completion.',
  'TEST-04': 'The store in memory is tested: reading, writing, paging, expiry, many at once.',
  'TEST-05':
    'DynamoDB store integration tests (real cloud table in CI, conditional writes, GSI pagination; a local DynamoDB where no table is given: decision 26)',
  'TEST-06': 'Security is tested: owners, anonymous requestors, quota, ids.',
  'TEST-07': 'Properties are tested: transitions, merging, ids, owners.',
  'TEST-08': 'The whole life of a task is tested from end to end.',

  'EXMP-01': 'An example calls a tool as a task.',
  'EXMP-02': 'An example runs a workflow as a task.',
  'EXMP-03': 'An example runs the program of a model as a task.',
  'EXMP-04': 'An example keeps tasks in DynamoDB.',

  'NOTF-01': 'Task status notifications sent on status transitions (where transport supports)',
  'NOTF-02': 'No client depends on notifications: asking is enough.',
  'ADVS-01': 'Tasks can be kept in Redis.',
  'ADVS-02': 'Progress of a task is streamed.',
  'SPEC-02': 'Task capabilities are fields of the capabilities themselves.',
  'SPEC-03': 'The task field is a field of tools/call itself.',
} as const;

const TASKER = {
  'TSK-01': '/mcp (and /mcp/tasker) speaks JSON-RPC over HTTP with initialize, ping, tools/list and tools/call.',
  'TSK-02': 'tools/list answers only tools that the scopes of the agent’s session allow.',
  'TSK-03': 'tools/call runs the same product code as the REST endpoints of the tools.',
  'TSK-04': 'An agent authenticates with an opaque bearer token; without one there is no call.',
  'TSK-05': 'Only the hash of a token is stored.',
  'TSK-06': 'A token is scoped to one agent.',
  'TSK-07': 'A revoked token ends at once.',
  'TSK-08': 'A token expires.',
  'TSK-09': 'Blocking the owner disables the tokens of their agents.',
  'TSK-10':
    'tasker_get_agent_instructions answers operating rules, allowed projects, card guide and reporting expectations (workspace:read).',
  'TSK-11': 'tasker_list_projects lists the projects granted to the agent (project:read).',
  'TSK-12': 'tasker_get_project_context answers states, labels, members and card-writing rules (project:read).',
  'TSK-13': 'tasker_search_issues searches work items within granted projects (issue:read).',
  'TSK-14':
    'tasker_get_issue answers one issue with description, structured blocks, labels, state, assignees and comments summary (issue:read).',
  'TSK-15': 'tasker_create_issue creates a work item from the allowed fields and no others (issue:create).',
  'TSK-16': 'Creating: the project must be granted.',
  'TSK-17': 'Creating: the state must belong to the project.',
  'TSK-18': 'Creating: labels must belong to the project.',
  'TSK-19': 'Creating: assignees must be active project members.',
  'TSK-20': 'Creating: the detail layout must match the structured block schema.',
  'TSK-21': 'tasker_update_issue patches the allowed fields and no others (issue:update).',
  'TSK-22': 'Deletion, archive and project transfer are not possible.',
  'TSK-23': 'tasker_move_issue changes state and optionally sort order (issue:move).',
  'TSK-24': 'Moving: the target state must belong to the same project.',
  'TSK-25': 'Moving: cancelled and completed only where the grant permits.',
  'TSK-26': 'tasker_set_issue_labels sets or merges labels that exist in the project (issue:label).',
  'TSK-27': 'tasker_assign_issue sets assignees that are active project members (issue:assign).',
  'TSK-28':
    'tasker_add_existing_project_member adds an active workspace member to a granted project (project:member:add_existing).',
  'TSK-29': 'Adding a member: the role cannot exceed the workspace role.',
  'TSK-30': 'Adding a member: refused in a workspace whose members are managed elsewhere.',
  'TSK-31': 'Adding a member: an agent must name the explicit instruction of a person, and the audit trail keeps it.',
  'TSK-32': 'tasker_append_comment adds a comment (issue:comment).',
  'TSK-33':
    'tasker_update_structured_blocks replaces or patches blocks by five actions (issue:structured_blocks:write).',
  'TSK-34': 'Blocks are text and checker, under the key nodedc_structured_blocks.',
  'TSK-35': 'tasker_start_work_session starts a reporting session for a project or issue (issue:comment).',
  'TSK-36':
    'tasker_finish_work_session appends summary and validation notes (issue:comment and issue:structured_blocks:write).',
  'TSK-37': 'Every write tool requires an idempotency_key.',
  'TSK-38': 'The first success is kept for 24 hours.',
  'TSK-39': 'The same key with the same arguments answers the kept result and changes nothing.',
  'TSK-40': 'The same key with other arguments answers idempotency_key_conflict.',
  'TSK-41': 'The same key while the first call still runs answers idempotency_key_in_progress.',
  'TSK-42': 'A failed write releases its key.',
  'TSK-43': 'A key belongs to its agent.',
  'TSK-47': 'A key is hashed together with the name of the tool and the normalised arguments.',
  'TSK-44': 'The seven denied tools do not exist.',
  'TSK-45': 'The instruction pack holds the effective card guide and the minimum lines.',
  'TSK-46':
    'GET /api/v1/agent-session/setup answers config template, tools of the grants, AGENTS.md text, never the token.',
} as const;

const EXECUTIONS = {
  'R1.1':
    'update_execution_session with execution_id and session_id has the Task Manager keep the session of the execution.',
  'R1.2': 'A session that was registered is answered with success true and the data as it is now.',
  'R1.3': 'A Task Manager that refuses or fails is answered with success false and what went wrong.',
  'R1.4': 'update_execution_session needs execution_id and session_id, both.',
  'R1.5': 'The description of update_execution_session says that execution_id is in NOVA_EXECUTION_ID.',
  'R1.6': 'The description of update_execution_session says that session_id comes from the skill tool.',
  'R2.1': 'create_step with execution_id and step_name creates a step.',
  'R2.2': 'A created step is answered with its step_id.',
  'R2.3': 'A message given with a new step is kept with it.',
  'R2.4': 'A status given with a new step is the one it begins with.',
  'R2.5': 'A new step without a status is running.',
  'R2.6': 'create_step takes running, completed, failed and skipped, and nothing else.',
  'R2.7': 'Another status given to create_step is answered with success false and the list of valid ones.',
  'R2.8': 'A step that cannot be created is answered with success false and what went wrong.',
  'R2.9': 'The description of create_step says that execution_id is in NOVA_EXECUTION_ID.',
  'R3.1': 'update_step with a valid status changes the status of the step.',
  'R3.2': 'update_step takes running, completed, failed and skipped, and nothing else.',
  'R3.3': 'Another status given to update_step is answered with success false and the list of valid ones.',
  'R3.4': 'update_step with neither status nor message says that at least one is needed.',
  'R3.5': 'A message given to update_step replaces that of the step.',
  'R3.6': 'An updated step is answered with success true and the data as it is now.',
  'R3.7': 'The description of update_step says that execution_id is in NOVA_EXECUTION_ID.',
  'R4.1': 'health_check answers whether the Task Manager is healthy.',
  'R4.2': 'Over HTTP a healthy Task Manager is answered with host, port and base_url.',
  'R4.3': 'A Task Manager that is not there is answered with what went wrong.',
  'R5.1': 'USE_MOCK_CLIENT decides which client reports.',
  'R5.2': 'USE_MOCK_CLIENT "true" chooses the client in memory.',
  'R5.3': 'USE_MOCK_CLIENT "false", or not set, chooses the client over HTTP.',
  'R5.4':
    'The HTTP client reads TASK_MANAGER_HOST (localhost), TASK_MANAGER_PORT (8080) and TASK_MANAGER_TIMEOUT (30 seconds).',
  'R5.5': 'The client in memory keeps executions and steps where a test can see them.',
  'R6.1': 'patch_execution is PATCH /api/executions/{execution-id}.',
  'R6.2': 'create_step is POST /api/executions/{execution-id}/steps.',
  'R6.3': 'patch_step is PATCH /api/executions/{execution-id}/steps/{step-id}.',
  'R6.4': 'health_check is GET /api/health.',
  'R6.5': 'A request that takes too long is answered with "Request timeout".',
  'R6.6': 'A Task Manager that cannot be reached is answered with the failure of the connection.',
  'R6.7': 'An answer of 400 or more is read for error and error_code, and both are passed on.',
  'R6.8': 'make generates the client out of swagger.yaml.',
  'R6.9': 'The generated client is in src/clients/generated.',
  'R7.1': 'StepStatus has four values: running, completed, failed, skipped.',
  'R7.2': 'ExecutionPatch has session_id and worktree_path, both optional.',
  'R7.3': 'StepCreate has step_name, and optionally message and status.',
  'R7.4': 'StepPatch has status and message, both optional.',
} as const;

const BOARD = {
  'B-TOOLS-1':
    'The board offers list_projects, list_repos, list_tasks, list_task_attempts, get_task, create_task, update_task, delete_task, start_task_attempt and follow_up.',
  'B-TOOLS-2': 'get_context is offered within an attempt, and nowhere else.',
  'B-TOOLS-S1': 'The list of tools has list_tasks and list_task_attempts by these names.',

  'B-ATTEMPT-1': 'Schemas call one try at a task an attempt.',
  'B-ATTEMPT-2': 'attempt_id is the one identifier of an attempt.',
  'B-ATTEMPT-3': 'Every field whose name ends in _id holds a UUID.',
  'B-ATTEMPT-4': 'Every time is in the form of RFC 3339.',
  'B-ATTEMPT-S1': 'follow_up takes an attempt_id just as list_task_attempts gave it.',
  'B-ATTEMPT-S2': 'Answers about attempts have attempt_id, and no workspace_id.',

  'B-LIST-1': 'list_tasks takes project_id, and optionally status and limit.',
  'B-LIST-2': 'The latest attempt is the one made last; of several made at one time, the one with the smallest id.',
  'B-LIST-3':
    'Each listed task has latest_attempt_id, latest_workspace_branch, latest_session_id and latest_session_executor, each null for none, and has_in_progress_attempt and last_attempt_failed.',
  'B-LIST-S1': 'A list of tasks that were attempted names the latest attempt of each and its session.',

  'B-ATTEMPTS-1': 'list_task_attempts takes task_id and answers attempts newest first, those made at one time by id.',
  'B-ATTEMPTS-2':
    'Each attempt has attempt_id, workspace_branch, created_at, updated_at, and latest_session_id and latest_session_executor, both null for none.',
  'B-ATTEMPTS-3': 'Beside the attempts stand latest_attempt_id and latest_session_id, those of the attempt made last.',
  'B-ATTEMPTS-S1': 'list_task_attempts answers the attempts of the task and the latest ids.',
  'B-ATTEMPTS-S2': 'For an attempt without a session latest_session_id is null, in its row and beside the rows.',

  'B-FOLLOW-1': 'follow_up takes attempt_id or session_id.',
  'B-FOLLOW-2': 'With attempt_id, follow_up acts on the latest session of the attempt: send, queue or cancel.',
  'B-FOLLOW-3': 'follow_up takes workspace_id in place of attempt_id, beside session_id.',
  'B-FOLLOW-4': 'follow_up needs a prompt to send or queue.',
  'B-FOLLOW-5': 'follow_up takes a variant, and does without one.',
  'B-FOLLOW-S1': 'Sending by attempt_id starts a run in the latest session of the attempt.',
  'B-FOLLOW-S2': 'Sending by workspace_id starts a run in the latest session.',
  'B-FOLLOW-S3': 'Sending by session_id starts a run in that session.',
  'B-FOLLOW-S4':
    'Queueing by workspace_id puts the message at the end of the latest session’s queue and answers the queue.',
  'B-FOLLOW-S5': 'Queueing by session_id puts the message at the end of that session’s queue and answers the queue.',
  'B-FOLLOW-S6': 'Cancelling takes waiting messages out of the queue and answers the queue.',
  'B-FOLLOW-S7': 'A follow-up of an attempt that has no session is refused in words that say so.',

  'B-DOCS-1': 'Every field of every argument and answer says what it means, its format and the values that it takes.',
  'B-DOCS-S1': 'Every field of list_task_attempts has a description.',

  'B-CTX-1':
    'get_context answers project_id, project_name, task_id, task_title, task_status, attempt_id, workspace_branch, and workspace_repos with repo_id, repo_name and target_branch.',
  'B-CTX-S1': 'get_context tells of the attempt and its branch beside project and task.',
} as const;

const LOOP = {
  'L-PLAN':
    'One call creates several tasks that name their parents and blockers, all or none and once; open tasks like a new one are answered, and never stop it.',
  'L-KEY':
    'Projects have keys, tasks and attempts short names; every id argument takes them, unique names and starts of ids too, and answers name things by them, only to those who may see them.',
  'L-SHIP':
    'The work of an attempt is merged, rebased or offered as a pull request in all of its repositories or none, whatever is killed meanwhile; conflicts and refusals change nothing and say why, and a merged task is done.',
  'L-REVIEW':
    'Comments on lines of an attempt’s changes are kept with their commit, follow their lines, are sent together and are resolved.',
  'L-VERIFY':
    'Checks of the operator’s configuration judge what an agent committed; the verdict is on attempt and task, may be demanded before an agent completes work, and may send red work back.',
  'L-BUDGET':
    'Costs, tokens and minutes are limited per run, task, project and agent: a warning at 80 %, the end of the run at 100 % with budget_exceeded, its work committed.',
  'L-SIBLINGS':
    'One call starts several agents at a task; their attempts are compared side by side, and choosing one archives the others.',
  'L-STEER':
    'Words to a running agent reach it with its next tool result or its next turn, each at least once and in order; an agent asks a person and gets the answer, also after a restart.',
  'L-FAILED': 'A failed attempt is a state of its task, which stays in progress, with the reason in one line.',
  'L-CLI':
    'Every command works on a server elsewhere, at ERRAND_URL or after errand login, and writes no data on this machine; a wrong token, a missing server and another version are told in words.',
  'L-DOCTOR':
    'errand doctor says what keeps Errand from working and what to do about it, for the data of this machine or a server elsewhere; it creates and changes nothing, and ends with 1 when something does not work.',
} as const;

export type RequirementId =
  | keyof typeof TODO
  | keyof typeof TASKS
  | keyof typeof TASKER
  | keyof typeof EXECUTIONS
  | keyof typeof BOARD
  | keyof typeof LOOP;

export interface Requirement {
  readonly id: RequirementId;
  readonly source: string;
  readonly behaviour: string;
}

/**
 * The requirements of Errand's specifications, in our words. Scenarios and tests cite ids in brackets; an id that
 * nothing cites, and a citation of an unknown id, both fail the build.
 */
export const REQUIREMENTS: readonly Requirement[] = [
  ...listed('MCP Server for Todo Operations', TODO),
  ...listed('MCP Tasks', TASKS),
  ...listed('MCP Tools Contract', TASKER),
  ...listed('Nova Task Manager MCP Server', EXECUTIONS),
  ...listed('MCP Task Tools', BOARD),
  ...listed('From idea to merged', LOOP),
];

function listed(source: string, behaviours: Readonly<Record<string, string>>): readonly Requirement[] {
  // The cast: `Object.entries` loses the key type of a constant.
  return Object.entries(behaviours).map(([id, behaviour]) => ({ id: id as RequirementId, source, behaviour }));
}
