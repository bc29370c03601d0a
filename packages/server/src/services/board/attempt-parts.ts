import type { AgentMessage } from '#domain/agent-message';
import type { Attempt } from '#domain/attempt';
import type { Check } from '#domain/check';
import { type GitJob, MAX_JOBS } from '#domain/git-job';
import type { ReviewComment } from '#domain/review';
import type { ReadWork } from '#services/work';

type Loader<Row> = (work: ReadWork, attempt: Attempt) => Promise<readonly Row[]>;

/** The parts of an attempt that have tables of their own. */
export interface AttemptParts {
  /** The checks of its latest run that had any, in their order. */
  readonly checks: Loader<Check>;
  /** All that were written on its changes, in the order of their numbers. */
  readonly comments: Loader<ReviewComment>;
  /** Messages to its agent that were not read yet, in their order. */
  readonly messages: Loader<AgentMessage>;
  /** Its merges, rebases and pull requests, the newest first. */
  readonly jobs: Loader<GitJob>;
}

/** Each loader is written with the subject that fills its table. */
export const ATTEMPT_PARTS: AttemptParts = {
  checks: ({ tx }, attempt) => tx.checks.ofAttempt(attempt),
  // Drafts are not for the agent.
  comments: async ({ tx, caller }, attempt) =>
    (await tx.reviews.ofAttempt(attempt)).filter(({ status }) => caller.attempt_id === null || status !== 'draft'),
  messages: ({ tx }, attempt) => tx.agentMessages.unread(attempt),
  jobs: ({ tx }, attempt) => tx.gitJobs.ofAttempt(attempt, MAX_JOBS),
};
