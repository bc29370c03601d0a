import {
  ACCESS_PLANTS,
  CLAIM_PLANTS,
  FILE_ACCESS_PLANTS,
  REPLAY_PLANTS,
  TRAIL_PLANTS,
  VERIFY_PLANTS,
} from './server-plants.ts';

/** One place of the source, with and without the guard. */
export interface Edit {
  readonly file: string;
  readonly is: string;
  readonly becomes: string;
}

/** Starts the next follow-up of the run's attempt, unless another run of it has already started. */
const LATER = `
  setTimeout(() => void store.transaction(async (next) => {
    const attempt = await attemptOfRun(next, entry);
    const [latest] = await next.attempts.runs(attempt, 1);
    if (latest?.ended_at !== null) await startNext(next, ids, attempt);
  }), 50);`;

/** Faults that the kills must detect. Each is a plausible mistake in the runner. */
export const KILL_PLANTS = {
  /** Does not record that a process is about to start. */
  'start not noted': [
    {
      file: 'domain/run-machine.ts',
      is: 'return { ...entry, spawned_at: entry.spawned_at ?? now };',
      becomes: 'return { ...entry };',
    },
  ],

  /** Never takes runs from dead workers. */
  'nobody reaps': [{ file: 'runner/worker.ts', is: 'await reaper.reap();', becomes: '' }],

  /** Gives runs up without ending their processes. */
  'no sweep': [{ file: 'runner/reap-lost.ts', is: 'if (isHere) await processes.sweep(run);', becomes: '' }],

  /** Does not save the changes of a lost run. */
  'no salvage': [
    {
      file: 'runner/reap-lost.ts',
      is: 'const isOurs = (): Promise<boolean> => queue.isHeld(run);',
      becomes: 'const isOurs = async () => true; if (isOurs !== null) return [];',
    },
  ],

  /** Starts the next follow-up in a later transaction than the end of the run. */
  'follow-up in a second transaction': [
    {
      file: 'services/runs/finish.ts',
      is: '(await startNext(tx, ids, rested)) || ',
      becomes: '',
    },
    { file: 'services/runs/finish.ts', is: 'async function startNext', becomes: 'export async function startNext' },
    {
      file: 'services/runs/queue.ts',
      is: 'import { attemptOfRun }',
      becomes: 'import { attemptOfRun, startNext }',
    },
    ...["{ type: 'finish', ending, checked }", "{ type: 'give_up', reason }"].map((event) => ({
      file: 'services/runs/queue.ts',
      is: `await applyRunEvent({ tx, ids }, entry, ${event});`,
      becomes: `await applyRunEvent({ tx, ids }, entry, ${event});\n${LATER}`,
    })),
  ],

  /** Leaves questions open for ever. */
  'questions stay open': [
    { file: 'services/runs/finish.ts', is: 'await expireApprovals(tx, attempt, entry);', becomes: '' },
  ],

  /** Leaves the token of an ended run valid. */
  'tokens stay valid': [
    {
      file: 'services/runs/apply-event.ts',
      is: "if (before.token_id !== null && status !== 'running') await tx.tokens.revoke(workspace_id, before.token_id, tx.now);",
      becomes: '',
    },
  ],
} as const satisfies Readonly<Record<string, readonly Edit[]>>;

/**
 * Faults that pausing workers must reveal. Faults that show only at a moment which a pause rarely
 * hits are left to the tests of the queue, the reaper and the folders.
 */
export const STOP_PLANTS = {
  /** A worker that ends a run which has already ended. */
  'ends twice': [
    {
      file: 'services/runs/held-run.ts',
      is: 'entry === null || entry.epoch !== hold.epoch || isOver(entry.run.status)',
      becomes: 'entry === null || (entry.epoch !== hold.epoch && !isOver(entry.run.status))',
    },
  ],
} as const satisfies Readonly<Record<string, readonly Edit[]>>;

/** Faults that kills during merges must detect. */
export const SHIP_PLANTS = {
  /** A merge whose branches may have moved is left as it is. */
  'nobody goes on with a merge': [
    { file: 'runner/git-jobs.ts', is: 'if (await isLeftTo(lost, live)) return;', becomes: 'return;' },
  ],
} as const satisfies Readonly<Record<string, readonly Edit[]>>;

/** Faults that kills must detect while messages are on their way to agents. */
export const MESSAGE_PLANTS = {
  /** Writes that messages were delivered while the answer with them is still in the process. */
  'delivered before the answer has left': [
    {
      file: 'gateway/carry-messages.ts',
      is: 'const due = setTimeout(resolve, HANDED_OVER_MS);',
      becomes: 'const due = setTimeout(resolve, 0);',
    },
    {
      file: 'gateway/dispatch.ts',
      is: 'const taking = carry.take(call, answer.json, began_at);',
      becomes:
        'const taking = carry.take(call, answer.json, began_at)?.then((found) => new Promise<typeof found>((go) => setTimeout(() => go(found), 25)));',
    },
  ],

  /** Never writes that messages were delivered. */
  'not noted as delivered': [
    {
      file: 'gateway/carry-messages.ts',
      is: 'const given = signal?.aborted === true ? [] : carried;',
      becomes: 'const given: typeof carried = [];',
    },
  ],
} as const satisfies Readonly<Record<string, readonly Edit[]>>;

const TOTAL = 'await tx.spending.total(of.run.workspace_id, subject, day)';

/** Faults that random reports of usage must detect. */
export const BUDGET_PLANTS = {
  /** Judges by the sum that an earlier transaction has read. */
  'a stale sum': [
    {
      file: 'services/runs/spending.ts',
      is: 'type Subject =',
      becomes: 'const sums = new Map(); type Subject =',
    },
    {
      file: 'services/runs/spending.ts',
      is: TOTAL,
      becomes: `await (async () => {
        const name = [subject.kind, subject.subject_id, day, limit.of].join(' ');
        const before = sums.get(name) ?? { cost_micro_usd: 0, tokens: 0, seconds: 0 };
        sums.set(name, ${TOTAL});
        return before;
      })()`,
    },
  ],

  /** Judges before the report is added. */
  'judged too early': [
    {
      file: 'services/runs/keep-reported.ts',
      is: 'const isNews = await account(tx, of, usedBy({ run, spawned_at: null }, tx.now));',
      becomes:
        'const early = await judgeRun(tx, budgets, of);\n  const isNews = await account(tx, of, usedBy({ run, spawned_at: null }, tx.now));',
    },
    {
      file: 'services/runs/keep-reported.ts',
      is: 'isNews && !isOver(run.status) ? await judgeRun(tx, budgets, of) : null;',
      becomes: 'isNews && !isOver(run.status) ? early : null;',
    },
  ],
} as const satisfies Readonly<Record<string, readonly Edit[]>>;

const ALL: Readonly<Record<string, readonly Edit[]>> = {
  ...CLAIM_PLANTS,
  ...REPLAY_PLANTS,
  ...ACCESS_PLANTS,
  ...FILE_ACCESS_PLANTS,
  ...TRAIL_PLANTS,
  ...VERIFY_PLANTS,
  ...KILL_PLANTS,
  ...STOP_PLANTS,
  ...SHIP_PLANTS,
  ...MESSAGE_PLANTS,
  ...BUDGET_PLANTS,
};

export type Plant =
  | keyof typeof CLAIM_PLANTS
  | keyof typeof REPLAY_PLANTS
  | keyof typeof ACCESS_PLANTS
  | keyof typeof FILE_ACCESS_PLANTS
  | keyof typeof TRAIL_PLANTS
  | keyof typeof VERIFY_PLANTS
  | keyof typeof KILL_PLANTS
  | keyof typeof STOP_PLANTS
  | keyof typeof SHIP_PLANTS
  | keyof typeof MESSAGE_PLANTS
  | keyof typeof BUDGET_PLANTS;

/** The names of all faults. */
export const ALL_PLANTS: readonly string[] = Object.keys(ALL);

export const editsOf = (plant: string): readonly Edit[] => ALL[plant] ?? [];

/** The source of a file with its faults. Throws when the guarded code has moved: such a fault would never be found. */
export const withFault = (source: string, file: string, edits: readonly Edit[]): string =>
  edits.reduce((text, edit) => {
    if (edit.file !== file) return text;
    if (!text.includes(edit.is)) throw new Error(`${file} has no “${edit.is}” to take out.`);
    return text.replace(edit.is, edit.becomes);
  }, source);
