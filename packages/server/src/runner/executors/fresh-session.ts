import type { Job } from '#runner/executor';

export const FRESH_SESSION =
  'The agent could not resume its session: it goes on in a fresh one, with a summary of the earlier one.';

/** What an agent has to be told first when it does not remember the session. */
export const recapOf = ({ recap }: Job): string =>
  `This work was begun in an earlier session, which cannot be resumed. What was asked and done there:\n\n${recap}\n\nThe folder holds the work so far. What is asked now:`;

export const promptWithRecap = (job: Job): string => `${recapOf(job)}\n\n${job.prompt}`;
