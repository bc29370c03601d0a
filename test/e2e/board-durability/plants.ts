/** One place of the source, as it is and as it would be without the guard. */
export interface Edit {
  readonly file: string;
  readonly is: string;
  readonly becomes: string;
}

/** Begins the next follow-up of the run's attempt, unless another run of it has begun meanwhile. */
const LATER = `
  setTimeout(() => void store.transaction(async (next) => {
    const attempt = await attemptOfRun(next, entry);
    const [latest] = await next.attempts.runs(attempt, 1);
    if (latest?.ended_at !== null) await startNext(next, ids, attempt);
  }), 50);`;

/** Faults that the kills must find. Each is a plausible way to write the runner wrong. */
export const KILL_PLANTS = {
  /** Never says that a process is about to start. */
  'start not noted': [
    {
      file: 'domain/run-machine.ts',
      is: 'return { ...entry, spawned_at: entry.spawned_at ?? now };',
      becomes: 'return { ...entry };',
    },
  ],

  /** Leaves runs to workers that are gone. */
  'nobody reaps': [{ file: 'runner/worker.ts', is: 'await reaper.reap();', becomes: '' }],

  /** Gives runs up without a look at what is left of them. */
  'no sweep': [{ file: 'runner/reap-lost.ts', is: 'if (isHere) await processes.sweep(run);', becomes: '' }],

  /** Leaves what a lost run has changed where it is. */
  'no salvage': [
    {
      file: 'runner/reap-lost.ts',
      is: 'const isOurs = (): Promise<boolean> => queue.isHeld(run);',
      becomes: 'const isOurs = async () => true; if (isOurs !== null) return [];',
    },
  ],

  /** Begins the next follow-up after the end of the run is written, not with it. */
  'follow-up in a second transaction': [
    {
      file: 'services/runs/finish.ts',
      is: 'await startNext(tx, ids, rested);',
      becomes: '',
    },
    { file: 'services/runs/finish.ts', is: 'async function startNext', becomes: 'export async function startNext' },
    {
      file: 'services/runs/queue.ts',
      is: 'import { attemptOfRun }',
      becomes: 'import { attemptOfRun, startNext }',
    },
    ...["{ type: 'finish', ending }", "{ type: 'give_up', reason }"].map((event) => ({
      file: 'services/runs/queue.ts',
      is: `await applyRunEvent({ tx, ids }, entry, ${event});`,
      becomes: `await applyRunEvent({ tx, ids }, entry, ${event});\n${LATER}`,
    })),
  ],

  /** Lets questions wait for ever. */
  'questions stay open': [
    { file: 'services/runs/finish.ts', is: 'await expireApprovals(tx, attempt, entry);', becomes: '' },
  ],

  /** Lets the token of a run outlive it. */
  'tokens stay valid': [
    {
      file: 'services/runs/apply-event.ts',
      is: "if (before.token_id !== null && status !== 'running') await tx.tokens.revoke(workspace_id, before.token_id, tx.now);",
      becomes: '',
    },
  ],
} as const satisfies Readonly<Record<string, readonly Edit[]>>;

/**
 * Faults that workers which are stopped for a while must bring to light. Those that need a moment which a stop seldom
 * meets are left to the tests beside the queue, the reaper and the folders.
 */
export const STOP_PLANTS = {
  /** A worker that ends what has ended. */
  'ends twice': [
    {
      file: 'services/runs/held-run.ts',
      is: 'entry === null || entry.epoch !== hold.epoch || isOver(entry.run.status)',
      becomes: 'entry === null || (entry.epoch !== hold.epoch && !isOver(entry.run.status))',
    },
  ],
} as const satisfies Readonly<Record<string, readonly Edit[]>>;

const ALL: Readonly<Record<string, readonly Edit[]>> = { ...KILL_PLANTS, ...STOP_PLANTS };

export type Plant = keyof typeof KILL_PLANTS | keyof typeof STOP_PLANTS;

export const editsOf = (plant: string): readonly Edit[] => ALL[plant] ?? [];
