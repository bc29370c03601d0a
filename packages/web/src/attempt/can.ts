import type { Attempt } from '../api/attempts.ts';
import type { Tone } from '../ui/badge.tsx';

/** The word and colour of each state of an attempt. */
export const STATE_WORDS: Readonly<Record<Attempt['state'], { readonly word: string; readonly tone?: Tone }>> = {
  queued: { word: 'Queued' },
  running: { word: 'Running', tone: 'run' },
  needs_you: { word: 'Needs you', tone: 'you' },
  review: { word: 'Review', tone: 'review' },
  failed: { word: 'Failed', tone: 'fail' },
  stopped: { word: 'Stopped' },
  merged: { word: 'Merged', tone: 'done' },
  archived: { word: 'Archived' },
};

/** Why an action cannot be done now; null when it can. */
export interface Refusals {
  readonly followUp: string | null;
  readonly stop: string | null;
  readonly retry: string | null;
  readonly verify: string | null;
  readonly ship: string | null;
}

type Facts = Pick<Attempt, 'state' | 'run' | 'changes' | 'repos'>;

/** Why an attempt without changes is not merged. */
export const NOTHING_TO_MERGE = 'Nothing to merge: the attempt changes nothing';

/** Whether a run goes on or waits to begin. */
export const isGoing = ({ run }: Pick<Attempt, 'run'>): boolean =>
  run?.status === 'running' || run?.status === 'queued';

function closed({ state }: Facts): string | null {
  if (state === 'merged') return 'The attempt is merged';
  return state === 'archived' ? 'Another attempt was chosen' : null;
}

type Scope = 'board:run' | 'board:merge';

/** What may be done with an attempt as it stands, by the rights of the reader. The server decides; this says it before the click. */
export function refusalsOf(facts: Facts, scopes: readonly string[]): Refusals {
  const lacks = (scope: Scope): string | null =>
    scopes.includes(scope) ? null : `You lack the right ${scope} in this project`;
  const goes = isGoing(facts) ? 'The run has not ended' : null;
  const idle = closed(facts) ?? goes;
  const nothing =
    facts.repos.length === 0 ? 'The attempt has no repository' : facts.changes.files === 0 ? NOTHING_TO_MERGE : null;
  return {
    followUp: lacks('board:run') ?? closed(facts),
    stop: lacks('board:run') ?? (isGoing(facts) ? null : 'Nothing runs'),
    retry: lacks('board:run') ?? idle ?? (facts.run === null ? 'Nothing has run yet' : null),
    verify: lacks('board:run') ?? idle ?? (facts.run === null ? 'Nothing has run yet' : null),
    ship: lacks('board:merge') ?? idle ?? nothing,
  };
}

/** The branch of an attempt; null when it was removed, because the last run has left no commit on it. */
export const branchOf = ({ workspace_branch, repos }: Pick<Attempt, 'workspace_branch' | 'repos'>): string | null =>
  repos.length > 0 && repos.every(({ base_commit, head_commit }) => head_commit !== null && head_commit === base_commit)
    ? null
    : workspace_branch;

/** How many review comments nobody has resolved, drafts among them. */
export const openComments = ({ comments = [] }: Pick<Attempt, 'comments'>): number =>
  comments.filter(({ status }) => status !== 'resolved').length;

/** The number of an attempt in its task: 2 of WEB-12.2. */
export const numberOf = (key: string | null): string => (key === null ? '' : key.slice(key.lastIndexOf('.') + 1));
