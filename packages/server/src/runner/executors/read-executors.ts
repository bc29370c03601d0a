import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { ErrandError } from '#errors';

const Name = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/,
    'names are lower-case letters, digits, dots, dashes and underscores',
  );
// The names by which a run knows itself: set for another, it would report as that one.
const OWN_NAMES = /^(ERRAND|TASK_MANAGER|NOVA)_/;
const Variables = z.record(
  z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'names of variables are letters, digits and underscores')
    .refine((name) => !OWN_NAMES.test(name), 'ERRAND_, TASK_MANAGER_ and NOVA_ are set by Errand itself'),
  z.string().refine((value) => !value.includes('\0'), 'values hold no null character'),
);
const Argument = z.string().refine((word) => !word.includes('\0'), 'arguments hold no null character');
// A path from here on would be one in the repository that the run works on.
const Program = Argument.min(1, 'the program has no name').refine(
  (name) => !name.includes('/') || isAbsolute(name),
  'give the whole path of the program, or its name on the PATH',
);
const Variant = z.strictObject({ args: z.array(Argument).default([]), env: Variables.default({}) });

const Executor = z.strictObject({
  kind: z.enum(['command', 'acp']),
  command: z.tuple([Program], Argument),
  env: Variables.default({}),
  title: z.string().min(1).max(100).optional(),
  variants: z.record(Name, Variant).default({}),
  max_runs: z.int().min(1).max(1_000).optional(),
});
export type ConfiguredExecutor = z.infer<typeof Executor>;

const RunnerConfig = z.strictObject({
  executors: z.record(Name, Executor).default({}),
  runner: z
    .strictObject({
      max_runs: z.int().min(1).max(1_000).optional(),
      lease_ms: z.int().min(1_000).max(3_600_000).optional(),
      isolation: z.enum(['auto', 'off']).optional(),
    })
    .default({}),
});
/** What the operator says of the agents that run here. */
export type RunnerConfig = z.infer<typeof RunnerConfig>;

const FILE = 'config.json';

const refuse = (words: string): ErrandError => new ErrandError('validation_error', `${FILE}: ${words}`);

function readFile(data: string): string | null {
  try {
    return readFileSync(join(data, FILE), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw refuse('cannot be read. Let it be a file that this user may read.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuse('is not JSON.');
  }
}

/** The first fault, by the place that it is at. */
function faultOf({ issues }: z.ZodError): string {
  const [issue] = issues;
  if (issue === undefined) return 'is not understood.';
  const inner = issue.code === 'invalid_key' ? issue.issues[0] : undefined;
  const path = issue.path.map(String).join('.');
  const words = (inner ?? issue).message;
  return path === '' ? words : `${path}: ${words}`;
}

/** Reads `config.json` of the data folder; without one nothing is configured. Throws one line that names the fault. */
export function readExecutors(data: string): RunnerConfig {
  const text = readFile(data);
  const parsed = RunnerConfig.safeParse(text === null ? {} : parse(text));
  if (!parsed.success) throw refuse(faultOf(parsed.error));
  return parsed.data;
}
