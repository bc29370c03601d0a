import type { Reads, Transaction } from '#store/store';
import type { Journal } from './journal.ts';
import { agentMessageReads, agentMessageWrites } from './repositories/agent-messages.ts';
import { agentReads, agentWrites } from './repositories/agents.ts';
import { appUserReads, appUserWrites } from './repositories/app-users.ts';
import { approvalReads, approvalWrites } from './repositories/approvals.ts';
import { attemptReads, attemptWrites } from './repositories/attempts.ts';
import { auditReads } from './repositories/audit.ts';
import { boardReads, boardWrites } from './repositories/board.ts';
import { sessionReads, sessionWrites } from './repositories/browser-sessions.ts';
import { cardReads } from './repositories/cards.ts';
import { checkReads, checkWrites } from './repositories/checks.ts';
import { clientSessionReads, clientSessionWrites } from './repositories/client-sessions.ts';
import { conversationReads, conversationWrites } from './repositories/conversations.ts';
import { eventReads, eventWrites } from './repositories/events.ts';
import { gitJobReads, gitJobWrites } from './repositories/git-jobs.ts';
import { idempotencyReads, idempotencyWrites } from './repositories/idempotency.ts';
import { inboxReads } from './repositories/inbox.ts';
import { listedRunReads } from './repositories/listed-runs.ts';
import { nameReads, nameWrites } from './repositories/names.ts';
import { operationReads } from './repositories/operations.ts';
import { presenceReads, presenceWrites } from './repositories/presence.ts';
import { projectReads, projectWrites } from './repositories/projects.ts';
import { reviewReads, reviewWrites } from './repositories/reviews.ts';
import { queueReads, queueWrites } from './repositories/run-queue.ts';
import { runReads, runWrites } from './repositories/runs.ts';
import { settingReads, settingWrites } from './repositories/settings.ts';
import { signInReads, signInWrites } from './repositories/sign-ins.ts';
import { spendingReads, spendingWrites } from './repositories/spending.ts';
import { tickReads, tickWrites } from './repositories/ticks.ts';
import { tokenReads, tokenWrites } from './repositories/tokens.ts';
import { upkeepReads, upkeepWrites } from './repositories/upkeep.ts';
import { userReads, userWrites } from './repositories/users.ts';
import { workItemReads, workItemWrites } from './repositories/work-items.ts';
import { workerReads, workerWrites } from './repositories/workers.ts';
import { workspaceReads, workspaceWrites } from './repositories/workspaces.ts';
import type { Session, WriteSession } from './session.ts';

export const createReads = (session: Session, clock: () => number): Reads => ({
  workspaces: workspaceReads(session),
  users: userReads(session),
  appUsers: appUserReads(session),
  agents: agentReads(session),
  tokens: tokenReads(session, clock),
  projects: projectReads(session),
  workItems: workItemReads(session),
  conversations: conversationReads(session, clock),
  audit: auditReads(session),
  runs: runReads(session, clock),
  board: boardReads(session, clock),
  cards: cardReads(session),
  attempts: attemptReads(session),
  agentMessages: agentMessageReads(session),
  approvals: approvalReads(session),
  reviews: reviewReads(session),
  checks: checkReads(session),
  spending: spendingReads(session),
  queue: queueReads(session, clock),
  workers: workerReads(session, clock),
  gitJobs: gitJobReads(session, clock),
  events: eventReads(session),
  idempotency: idempotencyReads(session, clock),
  inbox: inboxReads(session),
  listedRuns: listedRunReads(session),
  names: nameReads(session),
  upkeep: upkeepReads(session),
  settings: settingReads(session),
  clientSessions: clientSessionReads(session, clock),
  ...signInReads(session, clock),
  ...sessionReads(session, clock),
  ...presenceReads(session),
  ...tickReads(session),
  ...operationReads(session),
});

/** The transaction interface on a connection. Created once per connection, because units of work follow each other on it. */
export const createTransaction = (session: WriteSession, journal: Journal): Transaction => ({
  get now() {
    return session.now;
  },
  workspaces: workspaceWrites(session),
  users: userWrites(session),
  appUsers: appUserWrites(session),
  agents: agentWrites(session),
  tokens: tokenWrites(session),
  projects: projectWrites(session),
  workItems: workItemWrites(session),
  runs: runWrites(session),
  board: boardWrites(session),
  cards: cardReads(session),
  attempts: attemptWrites(session),
  agentMessages: agentMessageWrites(session),
  approvals: approvalWrites(session),
  reviews: reviewWrites(session),
  checks: checkWrites(session),
  spending: spendingWrites(session),
  queue: queueWrites(session),
  workers: workerWrites(session),
  gitJobs: gitJobWrites(session),
  events: eventWrites(session),
  idempotency: idempotencyWrites(session),
  conversations: conversationWrites(session),
  audit: auditReads(session),
  inbox: inboxReads(session),
  listedRuns: listedRunReads(session),
  names: nameWrites(session),
  upkeep: upkeepWrites(session),
  settings: settingWrites(session),
  clientSessions: clientSessionWrites(session),
  ...signInWrites(session),
  ...sessionWrites(session),
  ...presenceWrites(session),
  ...tickWrites(session),
  ...operationReads(session),
  record: journal.record,
  emit: journal.emit,
  say: journal.say,
});
