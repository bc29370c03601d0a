import type { AttemptRow } from '../api/task.ts';
import type { RunLook } from '../text/words.ts';

/** The picture and the word for each state of an attempt. */
export const ATTEMPT_LOOKS: Readonly<Record<AttemptRow['state'], readonly [look: RunLook, word: string]>> = {
  queued: ['queued', 'Queued'],
  running: ['running', 'Running'],
  needs_you: ['waiting', 'Needs you'],
  review: ['completed', 'To review'],
  failed: ['failed', 'Failed'],
  stopped: ['stopped', 'Stopped'],
  merged: ['completed', 'Merged'],
  archived: ['stopped', 'Archived'],
};

/** The number of an attempt within its task: 2 of WEB-12.2. */
export const attemptNumber = (key: string | null): string => key?.split('.')[1] ?? '';

export const isActive = (state: AttemptRow['state']): boolean =>
  state === 'queued' || state === 'running' || state === 'needs_you';

/** The address of an attempt's page. */
export const attemptPath = ({ key, attempt_id }: Pick<AttemptRow, 'key' | 'attempt_id'>): string =>
  `/a/${key ?? attempt_id}`;
