import type { AgentName, ProjectKey } from './harbour.ts';
import { clock, HOUR, NOW } from './schedule.ts';
import { STOREFRONT } from './storefront-tasks.ts';

type Mark = 'c' | 'f' | 's' | 'r';

/** A run of an attempt as the design shows it. */
export interface SampleRun {
  readonly project: ProjectKey;
  readonly task: number;
  readonly agent: AgentName;
  /** The attempt of the task that it is: earlier ones are made before it. */
  readonly attempt?: number;
  readonly from: number;
  /** When it ended, or when it last reported. */
  readonly to: number;
  /** Its steps: c completed, f failed, s skipped, r running. */
  readonly steps: string;
  /** Names of the last steps, from the last one backwards; the other steps get names of their kind. */
  readonly names?: readonly string[];
  /** How many steps are still to come. */
  readonly planned?: number;
  readonly ended?: 'completed' | 'failed' | 'killed' | 'interrupted';
  readonly reason?: string;
  readonly summary?: string;
  readonly added?: number;
  readonly removed?: number;
  readonly files?: number;
  /** Until when the agent has claimed the task. */
  readonly claim?: number;
  /** It waits in the queue. */
  readonly queued?: boolean;
}

const shop = (task: number, agent: AgentName, rest: Omit<SampleRun, 'project' | 'task' | 'agent'>): SampleRun => ({
  project: 'SHOP',
  task,
  agent,
  ...rest,
});
const pay = (task: number, agent: AgentName, rest: Omit<SampleRun, 'project' | 'task' | 'agent'>): SampleRun => ({
  project: 'PAY',
  task,
  agent,
  ...rest,
});

const CLAIM = clock('14:19');

const TODAY = new Set([136, 135, 131, 130]);

/** The runs by which agents completed the tasks of the days before. */
const EARLIER: readonly SampleRun[] = STOREFRONT.flatMap(({ number, at, by, state }) =>
  state !== 'done' || TODAY.has(number)
    ? []
    : // They are agents' names.
      [
        shop(number, by as AgentName, {
          from: at - 20 * 60_000,
          to: at,
          steps: 'cccc',
          ended: 'completed',
          added: 40 + number,
          removed: number % 50,
          files: 3,
        }),
      ],
);

/** The runs of the day, apart from the one that the pages of an attempt show. */
export const RUNS: readonly SampleRun[] = [
  ...EARLIER,
  shop(138, 'kite', {
    from: clock('13:48:41'),
    to: clock('14:12:37'),
    steps: 'ccccr',
    names: ['Migrate staging', 'Keep both stores for one release', 'Write the Redis store'],
    planned: 2,
    added: 187,
    removed: 41,
    files: 6,
    claim: clock('14:21'),
  }),
  shop(145, 'juno', {
    from: clock('13:56:18'),
    to: clock('14:13:40'),
    steps: 'ccccccr',
    names: ['Check plural forms', 'Translate the payment errors'],
    planned: 2,
    added: 96,
    removed: 96,
    files: 4,
    claim: CLAIM,
  }),
  shop(156, 'scout', {
    from: clock('14:08:49'),
    to: clock('14:14:46'),
    steps: 'ccr',
    names: ['Split the tax work', 'Read the tax rules'],
    planned: 2,
    claim: CLAIM,
  }),
  pay(90, 'tally', {
    from: clock('14:04:31'),
    to: clock('14:08:40'),
    steps: 'ccr',
    names: ['Ask about bank holidays', 'Read the calendar'],
    planned: 2,
    added: 22,
    removed: 3,
    files: 2,
    claim: CLAIM,
  }),
  shop(144, 'pixel', {
    from: clock('13:40:31'),
    to: clock('14:02:40'),
    steps: 'ccr',
    names: ['Measure the page'],
    planned: 3,
    added: 31,
    removed: 4,
    files: 2,
    claim: CLAIM,
  }),
  pay(88, 'moss', { from: clock('14:13:10'), to: clock('14:13:10'), steps: '', queued: true }),
  shop(140, 'moss', {
    attempt: 3,
    from: clock('13:33:20'),
    to: clock('14:10:40'),
    steps: 'cccccf',
    names: ['Run the test suite', 'Refund only once'],
    planned: 2,
    ended: 'failed',
    reason: 'refunds.spec.ts:88 expected 1 charge, got 2',
    added: 44,
    removed: 9,
    files: 3,
  }),
  shop(137, 'kite', {
    from: clock('13:40:40'),
    to: clock('14:14:45'),
    steps: 'ccccccc',
    ended: 'completed',
    added: 148,
    removed: 38,
    files: 5,
  }),
  pay(86, 'tally', {
    from: clock('13:22:10'),
    to: clock('13:38:22'),
    steps: 'cccc',
    planned: 2,
    ended: 'interrupted',
    reason: 'The worker stopped.',
    added: 31,
    removed: 4,
    files: 2,
  }),
  shop(133, 'atlas', {
    attempt: 2,
    from: clock('13:21:00'),
    to: clock('13:52:47'),
    steps: 'cccccc',
    ended: 'completed',
    added: 96,
    removed: 12,
    files: 3,
  }),
  {
    project: 'DOCS',
    task: 31,
    agent: 'fern',
    from: clock('13:05:00'),
    to: clock('13:13:14'),
    steps: 'cccc',
    ended: 'completed',
    added: 12,
    removed: 12,
    files: 2,
  },
  shop(129, 'juno', {
    attempt: 4,
    from: clock('12:30:00'),
    to: clock('13:14:51'),
    steps: 'cccccccccc',
    ended: 'completed',
    added: 341,
    removed: 120,
    files: 11,
  }),
  pay(84, 'tally', {
    from: clock('12:11:00'),
    to: clock('12:20:38'),
    steps: 'ccf',
    ended: 'failed',
    reason: 'The key server answered 403.',
    added: 18,
    removed: 2,
    files: 1,
  }),
  shop(136, 'juno', {
    from: clock('12:02:00'),
    to: clock('12:13:20'),
    steps: 'ccc',
    ended: 'completed',
    added: 88,
    removed: 88,
    files: 9,
  }),
  shop(135, 'atlas', {
    from: clock('11:20:00'),
    to: clock('11:49:02'),
    steps: 'cccccc',
    ended: 'completed',
    added: 130,
    removed: 17,
    files: 4,
  }),
  pay(81, 'moss', {
    from: clock('11:04:00'),
    to: clock('11:19:44'),
    steps: 'ccccc',
    ended: 'completed',
    added: 52,
    removed: 6,
    files: 2,
  }),
  shop(131, 'pixel', {
    from: clock('09:50:00'),
    to: clock('10:09:58'),
    steps: 'ccccc',
    ended: 'completed',
    added: 24,
    removed: 31,
    files: 3,
  }),
  shop(130, 'moss', {
    from: clock('07:31:00'),
    to: clock('07:57:58'),
    steps: 'ccccc',
    ended: 'completed',
    added: 77,
    removed: 5,
    files: 4,
  }),
];

/** Runs of the night, which agents report from elsewhere: how many begin in each hour before now, and how many of them fail. */
export const NIGHT: readonly { readonly hours_ago: number; readonly count: number; readonly failed: number }[] = [
  [5, 4, 0],
  [6, 5, 0],
  [7, 3, 1],
  [8, 4, 0],
  [9, 6, 0],
  [10, 7, 1],
  [11, 9, 0],
  [12, 8, 0],
  [13, 6, 0],
  [14, 5, 0],
  [15, 3, 0],
  [16, 4, 1],
  [17, 6, 0],
  [18, 7, 0],
  [19, 9, 2],
  [20, 8, 0],
  [21, 7, 0],
  [22, 5, 0],
  [23, 4, 0],
].map(([hours_ago = 0, count = 0, failed = 0]) => ({ hours_ago, count, failed }));

export const nightStart = (hours_ago: number, n: number): number => NOW - hours_ago * HOUR + n * 300_000;

const STEP_NAMES = [
  'Read the code',
  'Find the cause',
  'Write a test that fails',
  'Mend it',
  'Read it again',
  'Update the docs',
  'Run the tests',
  'Tidy up',
  'Check the edges',
  'Write the notes',
];

const STATUS: Readonly<Record<Mark, 'completed' | 'failed' | 'skipped' | 'running'>> = {
  c: 'completed',
  f: 'failed',
  s: 'skipped',
  r: 'running',
};

/** The steps of a run, one after another over its time. */
export function stepsOf({ steps, names = [], from, to }: SampleRun) {
  const each = (to - from) / Math.max(1, steps.length);
  return [...steps].map((mark, at) => ({
    name: names[steps.length - 1 - at] ?? STEP_NAMES[at % STEP_NAMES.length] ?? 'Work',
    // Only these letters are written above.
    status: STATUS[mark as Mark],
    from: Math.round(from + at * each),
    to: Math.round(from + (at + 1) * each),
  }));
}

/** Files with these numbers of changed lines in all. */
export function filesOf({ added = 0, removed = 0, files = 0 }: SampleRun) {
  return Array.from({ length: files }, (_, at) => {
    const share = (all: number): number =>
      at === 0 ? all - (files - 1) * Math.floor(all / files) : Math.floor(all / files);
    return { path: `src/part-${at + 1}.ts`, change: 'modified', insertions: share(added), deletions: share(removed) };
  });
}
