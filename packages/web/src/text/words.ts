/** The words of the board: one for each status, counts with their nouns, and keys as this system writes them. */

/** The names in a table of words, looks or choices, in its order. */
export const namesIn = <Name extends string>(table: Readonly<Partial<Record<Name, unknown>>>): readonly Name[] =>
  // Such a table is a constant: it has no other keys than those of its type.
  Object.keys(table) as Name[];

/** How a task looks. Needs you is a badge beside the state, never a column. */
export const TASK_WORDS = {
  todo: 'Todo',
  ready: 'Ready',
  progress: 'In progress',
  you: 'Needs you',
  review: 'Review',
  done: 'Done',
  cancelled: 'Cancelled',
} as const;
export type TaskLook = keyof typeof TASK_WORDS;

/** How a run looks. */
export const RUN_WORDS = {
  queued: 'Queued',
  running: 'Running',
  waiting: 'Needs you',
  completed: 'Completed',
  failed: 'Failed',
  stopped: 'Stopped',
  lost: 'Lost',
} as const;
export type RunLook = keyof typeof RUN_WORDS;

/** How a step looks. */
export const STEP_WORDS = {
  planned: 'To come',
  running: 'Running',
  waiting: 'Waiting',
  completed: 'Completed',
  failed: 'Failed',
  skipped: 'Skipped',
  quiet: 'Quiet',
} as const;
export type StepLook = keyof typeof STEP_WORDS;

export const PRIORITY_WORDS = {
  urgent: 'Urgent',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  none: 'No priority',
} as const;
export type PriorityLook = keyof typeof PRIORITY_WORDS;

export interface TaskFacts {
  readonly group: 'backlog' | 'unstarted' | 'started' | 'completed' | 'cancelled';
  /** The state's own name: projects name their states, and a started state named for review looks like one. */
  readonly state?: string | undefined;
  readonly ready?: boolean | undefined;
}

/** The look of a task, from the group of its state and the state's name. */
export function taskLook({ group, state = '', ready = false }: TaskFacts): TaskLook {
  switch (group) {
    case 'completed':
      return 'done';
    case 'cancelled':
      return 'cancelled';
    case 'started':
      return /\breview/i.test(state) ? 'review' : 'progress';
    default:
      return ready ? 'ready' : 'todo';
  }
}

/** The look of a run, from the status that the API gives it and whether it waits for a person. */
export function runLook(
  status: 'queued' | 'running' | 'completed' | 'failed' | 'killed' | 'interrupted',
  needsYou = false,
): RunLook {
  switch (status) {
    case 'killed':
      return 'stopped';
    case 'interrupted':
      return 'lost';
    case 'running':
      return needsYou ? 'waiting' : 'running';
    default:
      return status;
  }
}

/** A whole number with its thousands set off: 2,418. */
export function count(number: number): string {
  return Math.trunc(number).toLocaleString('en-US');
}

/** A count with its noun: 1 task, 2,418 tasks. Nouns that do not take an s give their plural. */
export function plural(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${Math.trunc(number) === 1 ? one : many}`;
}

/** Names in a sentence: a, b and c. */
export function listed(names: readonly string[]): string {
  const last = names.at(-1);
  return last === undefined || names.length === 1 ? (last ?? '') : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** A size in bytes: 812 B, 14 KB, 2.4 MB. */
export function bytes(size: number): string {
  const units = ['B', 'KB', 'MB', 'GB'] as const;
  let value = Math.max(0, size);
  let at = 0;
  while (value >= 1_000 && at < units.length - 1) {
    value /= 1_000;
    at += 1;
  }
  return `${at > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[at]}`;
}

export type System = 'apple' | 'other';

/** The system that keys are named for. */
export function systemOf(platform: string): System {
  return /mac|iphone|ipad|ipod/i.test(platform) ? 'apple' : 'other';
}

/** The system of this browser; the other kind where there is no browser. */
export function thisSystem(): System {
  return systemOf(typeof navigator === 'undefined' ? '' : navigator.platform);
}

const SIGNS: Readonly<Record<string, readonly [apple: string, other: string]>> = {
  mod: ['⌘', 'Ctrl'],
  shift: ['⇧', 'Shift'],
  alt: ['⌥', 'Alt'],
  enter: ['↵', '↵'],
  esc: ['Esc', 'Esc'],
  up: ['↑', '↑'],
  down: ['↓', '↓'],
};

/** Keys as they are printed: "mod+k" reads ⌘K on Apple's systems and Ctrl K on others; "g i" is G then I. */
export function keyText(keys: string, system: System = thisSystem()): string {
  return keys
    .split(' ')
    .map((chord) =>
      chord
        .split('+')
        .map((key) => SIGNS[key.toLowerCase()]?.[system === 'apple' ? 0 : 1] ?? key.toUpperCase())
        .join(system === 'apple' ? '' : ' '),
    )
    .join(' ');
}

/** What refusals that many callers get mean. */
export const REFUSALS: Readonly<Record<string, string>> = {
  conflict: 'Somebody else was first. Normal when many agents ask at once.',
  claim_lost: 'The lease of an agent ended before its work did.',
  insufficient_scope: 'A token lacks a right. Grant it on the page of the agent.',
  project_not_granted: 'An agent asks for a project that it is not in.',
  unauthenticated: 'A token is missing, wrong or has ended. Rotate it.',
  rate_limited: 'A caller asks too often, and is told when to ask again.',
  overloaded: 'More calls came than the server can take.',
  validation_error: 'A call had a wrong argument. The answer names it.',
  not_found: 'A call named what is not there.',
  internal: 'The server failed. Its log says why.',
};
