import type { Ports } from '#services/ports';
import type { TaskerAdapter } from '#services/tasker/adapter';
import { createWaitingPlaces } from '#services/waiting-places';
import { createApprovals } from './approvals.ts';
import { createAttempts } from './attempts.ts';
import { createCards } from './cards.ts';
import { createCompare } from './compare.ts';
import { createBoardContext } from './context.ts';
import { createCosts } from './costs.ts';
import { createTaskPlans } from './create-tasks.ts';
import { createFeedPages } from './feed-pages.ts';
import { createFollowUps } from './follow-ups.ts';
import { createGitJobCalls } from './git-jobs.ts';
import { createImports } from './import-tasks.ts';
import { createInbox } from './inbox.ts';
import { createListedRuns } from './listed-runs.ts';
import { createBoardLists } from './lists.ts';
import { createNextTask } from './next-task.ts';
import { createOfferedExecutors } from './offered-executors.ts';
import { createPresence } from './presence.ts';
import { createQuestions } from './questions.ts';
import { createReviews } from './reviews.ts';
import { createSendMessage } from './send-message.ts';
import { createSiblings } from './siblings.ts';
import { createSimilar } from './similar.ts';
import { createStory } from './story.ts';
import { createTail } from './tail.ts';
import { createBoardTasks } from './tasks.ts';
import { readTicks } from './ticks.ts';
import { createWholeTask } from './whole-task.ts';

/** The rules of the board, by subject. */
export const createBoard = (
  ports: Ports,
  adapter: Pick<TaskerAdapter, 'is_local'>,
  places = createWaitingPlaces(),
) => ({
  approvals: createApprovals(ports),
  attempts: createAttempts(ports, adapter),
  cards: createCards(ports, adapter),
  compare: createCompare(ports),
  context: createBoardContext(),
  costs: createCosts(ports.clock),
  createTasks: createTaskPlans(ports, adapter),
  executors: createOfferedExecutors(),
  feedPages: createFeedPages(),
  followUps: createFollowUps(ports),
  gitJobs: createGitJobCalls(ports, places),
  imports: createImports(ports, adapter),
  inbox: createInbox(ports),
  listedRuns: createListedRuns(ports),
  presence: createPresence(),
  story: createStory(ports),
  lists: createBoardLists(ports, adapter),
  next: createNextTask(adapter),
  reviews: createReviews(ports, createFollowUps(ports)),
  siblings: createSiblings(ports),
  questions: createQuestions(ports, places),
  sendMessage: createSendMessage(ports),
  similar: createSimilar(),
  tail: createTail(ports, places),
  tasks: createBoardTasks(ports, adapter),
  wholeTask: createWholeTask(ports),
  ticks: readTicks,
});
