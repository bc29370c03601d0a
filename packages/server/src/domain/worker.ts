import { z } from 'zod';

/** An executor as a worker offers it. */
export const OfferedExecutor = z.object({
  executor: z.string().describe('Its name, to start attempts with.'),
  title: z.string().describe('What people call it.'),
  kind: z
    .enum(['command', 'acp'])
    .describe('How it is run: command (a plain command) or acp (the Agent Client Protocol).'),
  variants: z.array(z.string()).describe('Other ways to run it, to start attempts with.'),
  version: z.string().nullable().describe('The version that was found; null when it does not say.'),
  is_ready: z.boolean().describe('Whether an attempt can be started with it now.'),
  problem: z.string().nullable().describe('What keeps it from running, and what to do about it; null for nothing.'),
});
export type OfferedExecutor = z.infer<typeof OfferedExecutor>;

/** How often a worker looks whether the known agents are installed and logged in. */
export const LOOK_AGAIN_MS = 30_000;

/** A process that runs attempts. */
export interface Worker {
  readonly id: string;
  /** The machine's permanent id. */
  readonly host_id: string;
  readonly host_name: string;
  readonly boot_id: string;
  readonly pid: number;
  readonly pid_started: string;
  /** JSON of `OfferedExecutor[]`. */
  readonly executors: string;
  readonly max_runs: number;
  readonly started_at: number;
  /** The worker counts as alive until this time. */
  readonly lease_until: number;
}
