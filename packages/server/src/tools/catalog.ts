import { addLabel } from './admin/add-label.ts';
import { addMember } from './admin/add-member.ts';
import { addProject } from './admin/add-project.ts';
import { addRepo } from './admin/add-repo.ts';
import { addState } from './admin/add-state.ts';
import { addUser } from './admin/add-user.ts';
import { blockUser } from './admin/block-user.ts';
import { changePassword } from './admin/change-password.ts';
import { createAgent } from './admin/create-agent.ts';
import { createSignIn } from './admin/create-sign-in.ts';
import { createToken } from './admin/create-token.ts';
import { endSession } from './admin/end-session.ts';
import { exportAudit } from './admin/export-audit.ts';
import { grantAgent } from './admin/grant-agent.ts';
import { importProjects } from './admin/import-projects.ts';
import { listAgentCalls } from './admin/list-agent-calls.ts';
import { listAgents } from './admin/list-agents.ts';
import { listAudit } from './admin/list-audit.ts';
import { listLabels } from './admin/list-labels.ts';
import { listMembers } from './admin/list-members.ts';
import { listProjects } from './admin/list-projects.ts';
import { listRepos } from './admin/list-repos.ts';
import { listSessions } from './admin/list-sessions.ts';
import { listStates } from './admin/list-states.ts';
import { listTokens } from './admin/list-tokens.ts';
import { listUsers } from './admin/list-users.ts';
import { redeemSignIn } from './admin/redeem-sign-in.ts';
import { removeLabel } from './admin/remove-label.ts';
import { removeMember } from './admin/remove-member.ts';
import { removeProject } from './admin/remove-project.ts';
import { removeRepo } from './admin/remove-repo.ts';
import { removeState } from './admin/remove-state.ts';
import { removeUser } from './admin/remove-user.ts';
import { revokeAgent } from './admin/revoke-agent.ts';
import { revokeToken } from './admin/revoke-token.ts';
import { rotateAgent } from './admin/rotate-agent.ts';
import { setFirstAdmin } from './admin/set-first-admin.ts';
import { setPassword } from './admin/set-password.ts';
import { showAgent } from './admin/show-agent.ts';
import { showMe } from './admin/show-me.ts';
import { showOperations } from './admin/show-operations.ts';
import { showProject } from './admin/show-project.ts';
import { showWorkspace } from './admin/show-workspace.ts';
import { signIn } from './admin/sign-in.ts';
import { unblockUser } from './admin/unblock-user.ts';
import { ungrantAgent } from './admin/ungrant-agent.ts';
import { updateLabel } from './admin/update-label.ts';
import { updateProject } from './admin/update-project.ts';
import { updateRepo } from './admin/update-repo.ts';
import { updateState } from './admin/update-state.ts';
import { updateUser } from './admin/update-user.ts';
import { updateWorkspace } from './admin/update-workspace.ts';
import { verifyAudit } from './admin/verify-audit.ts';
import { addReviewComment } from './board/add-review-comment.ts';
import { askPerson } from './board/ask-person.ts';
import { chooseAttempt } from './board/choose-attempt.ts';
import { compareAttempts } from './board/compare-attempts.ts';
import { createTask } from './board/create-task.ts';
import { createTasks } from './board/create-tasks.ts';
import { deleteTask as deleteBoardTask } from './board/delete-task.ts';
import { endPresence } from './board/end-presence.ts';
import { followUp } from './board/follow-up.ts';
import { getAttempt } from './board/get-attempt.ts';
import { getContext } from './board/get-context.ts';
import { getTask } from './board/get-task.ts';
import { importTasks } from './board/import-tasks.ts';
import { listAttemptFeed } from './board/list-attempt-feed.ts';
import { listExecutors } from './board/list-executors.ts';
import { listInbox } from './board/list-inbox.ts';
import { listProjects as listBoardProjects } from './board/list-projects.ts';
import { listRepos as listBoardRepos } from './board/list-repos.ts';
import { listRuns } from './board/list-runs.ts';
import { listTaskAttempts } from './board/list-task-attempts.ts';
import { listTaskStory } from './board/list-task-story.ts';
import { listTasks as listBoardTasks } from './board/list-tasks.ts';
import { mergeAttempt } from './board/merge-attempt.ts';
import { nextTask } from './board/next-task.ts';
import { openPullRequest } from './board/open-pull-request.ts';
import { readImport } from './board/read-import.ts';
import { rebaseAttempt } from './board/rebase-attempt.ts';
import { removeAttempt } from './board/remove-attempt.ts';
import { reportCosts } from './board/report-costs.ts';
import { resolveReviewComment } from './board/resolve-review-comment.ts';
import { respondApproval } from './board/respond-approval.ts';
import { sendMessage } from './board/send-message.ts';
import { sendReview } from './board/send-review.ts';
import { showBoard } from './board/show-board.ts';
import { showPresence } from './board/show-presence.ts';
import { startTaskAttempt } from './board/start-task-attempt.ts';
import { stopAttempt } from './board/stop-attempt.ts';
import { tailAttempt } from './board/tail-attempt.ts';
import { updateTask as updateBoardTask } from './board/update-task.ts';
import { verifyAttempt } from './board/verify-attempt.ts';
import type { Definition } from './define.ts';
import { addFeedEntry } from './executions/add-feed-entry.ts';
import { createExecution } from './executions/create-execution.ts';
import { createStep } from './executions/create-step.ts';
import { getExecution } from './executions/get-execution.ts';
import { healthCheck } from './executions/health-check.ts';
import { listExecutions } from './executions/list-executions.ts';
import { listFeed } from './executions/list-feed.ts';
import { listSteps } from './executions/list-steps.ts';
import { updateExecution } from './executions/update-execution.ts';
import { updateExecutionSession } from './executions/update-execution-session.ts';
import { updateStep } from './executions/update-step.ts';
import { PROFILES, type ProfileName } from './profiles.ts';
import { taskerAddExistingProjectMember } from './tasker/tasker-add-existing-project-member.ts';
import { taskerAppendComment } from './tasker/tasker-append-comment.ts';
import { taskerAssignIssue } from './tasker/tasker-assign-issue.ts';
import { taskerCreateIssue } from './tasker/tasker-create-issue.ts';
import { taskerFinishWorkSession } from './tasker/tasker-finish-work-session.ts';
import { taskerGetAgentInstructions } from './tasker/tasker-get-agent-instructions.ts';
import { taskerGetIssue } from './tasker/tasker-get-issue.ts';
import { taskerGetProjectContext } from './tasker/tasker-get-project-context.ts';
import { taskerListProjects } from './tasker/tasker-list-projects.ts';
import { taskerListWorkReports } from './tasker/tasker-list-work-reports.ts';
import { taskerMoveIssue } from './tasker/tasker-move-issue.ts';
import { taskerSearchIssues } from './tasker/tasker-search-issues.ts';
import { taskerSetIssueLabels } from './tasker/tasker-set-issue-labels.ts';
import { taskerStartWorkSession } from './tasker/tasker-start-work-session.ts';
import { taskerUpdateIssue } from './tasker/tasker-update-issue.ts';
import { taskerUpdateStructuredBlocks } from './tasker/tasker-update-structured-blocks.ts';
import { addTask } from './todo/add-task.ts';
import { completeTask } from './todo/complete-task.ts';
import { deleteTask } from './todo/delete-task.ts';
import { listConversations } from './todo/list-conversations.ts';
import { listMessages } from './todo/list-messages.ts';
import { listTasks } from './todo/list-tasks.ts';
import { postMessages } from './todo/post-messages.ts';
import { updateTask } from './todo/update-task.ts';

/** Every tool of Errand by profile, in the order in which they are listed. */
export const TOOLS = {
  todo: [addTask, listTasks, completeTask, updateTask, deleteTask, postMessages, listConversations, listMessages],
  tasker: [
    taskerGetAgentInstructions,
    taskerListProjects,
    taskerListWorkReports,
    taskerGetProjectContext,
    taskerSearchIssues,
    taskerGetIssue,
    taskerCreateIssue,
    taskerUpdateIssue,
    taskerMoveIssue,
    taskerSetIssueLabels,
    taskerAssignIssue,
    taskerAddExistingProjectMember,
    taskerAppendComment,
    taskerUpdateStructuredBlocks,
    taskerStartWorkSession,
    taskerFinishWorkSession,
  ],
  board: [
    listBoardProjects,
    listBoardRepos,
    listBoardTasks,
    getTask,
    createTask,
    createTasks,
    readImport,
    importTasks,
    updateBoardTask,
    deleteBoardTask,
    nextTask,
    listTaskAttempts,
    listExecutors,
    startTaskAttempt,
    compareAttempts,
    chooseAttempt,
    followUp,
    addReviewComment,
    sendReview,
    resolveReviewComment,
    getAttempt,
    tailAttempt,
    listAttemptFeed,
    listRuns,
    listTaskStory,
    showPresence,
    endPresence,
    reportCosts,
    stopAttempt,
    verifyAttempt,
    removeAttempt,
    askPerson,
    listInbox,
    showBoard,
    respondApproval,
    sendMessage,
    mergeAttempt,
    rebaseAttempt,
    openPullRequest,
    getContext,
  ],
  executions: [
    updateExecutionSession,
    createStep,
    updateStep,
    healthCheck,
    createExecution,
    listExecutions,
    getExecution,
    updateExecution,
    listSteps,
    addFeedEntry,
    listFeed,
  ],
  admin: [
    addUser,
    listUsers,
    updateUser,
    blockUser,
    unblockUser,
    removeUser,
    showMe,
    showWorkspace,
    updateWorkspace,
    showOperations,
    addProject,
    listProjects,
    showProject,
    updateProject,
    removeProject,
    importProjects,
    addLabel,
    updateLabel,
    removeLabel,
    listLabels,
    addState,
    updateState,
    removeState,
    listStates,
    addMember,
    listMembers,
    removeMember,
    addRepo,
    listRepos,
    updateRepo,
    removeRepo,
    createAgent,
    listAgents,
    showAgent,
    listAgentCalls,
    grantAgent,
    ungrantAgent,
    rotateAgent,
    revokeAgent,
    createSignIn,
    redeemSignIn,
    signIn,
    setFirstAdmin,
    setPassword,
    changePassword,
    listSessions,
    endSession,
    createToken,
    listTokens,
    revokeToken,
    listAudit,
    exportAudit,
    verifyAudit,
  ],
} as const satisfies Record<ProfileName, readonly Definition[]>;

/** A tool with its profile, and with its name where all profiles are listed together. */
export interface Tool extends Definition {
  readonly profile: ProfileName;
  readonly full_name: string;
}

export const inProfile = (profile: ProfileName, tool: Definition): Tool => ({
  ...tool,
  profile,
  full_name: `${PROFILES[profile].prefix}${tool.name}`,
});

// The cast: `Object.keys` forgets the names of the profiles.
export const catalog: readonly Tool[] = (Object.keys(TOOLS) as ProfileName[]).flatMap((profile) =>
  TOOLS[profile].map((tool) => inProfile(profile, tool)),
);

/** The tools whose callers say how long a call waits. */
export const WAITING: ReadonlySet<string> = new Set(
  catalog.filter(({ input }) => 'wait_ms' in input.shape).map(({ full_name }) => full_name),
);
