import { fenced } from '#domain/fence';
import type { Job } from '#runner/executor';

export const FRESH_SESSION =
  'The agent could not resume its session: it goes on in a fresh one, with a summary of the earlier one.';

/** The text that an agent reads first when it cannot resume its session. The mark of the fence is random: the text cannot forge its end. */
export const recapOf = ({ recap, ids }: Job): string =>
  [
    'This work was begun in an earlier session, which cannot be resumed. What was asked and done there is between the two lines with the same mark:',
    fenced('earlier', recap, () => ids().slice(-12)),
    'The folder holds the work so far. What is asked now:',
  ].join('\n\n');

export const promptWithRecap = (job: Job): string => `${recapOf(job)}\n\n${job.prompt}`;
