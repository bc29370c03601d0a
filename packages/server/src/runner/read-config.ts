import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { say } from '#advice';
import { BudgetsConfig } from '#domain/budget';
import { CHECKS_EXECUTOR } from '#domain/check';
import { ErrandError } from '#errors';
import { ChecksConfig } from './checks-config.ts';
import { Argument, Command, wholeNumber } from './command-schema.ts';
import { KNOWN_AGENTS } from './executors/known-agents.ts';
import { privacyFault } from './executors/privacy-fault.ts';

const Name = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/,
    'names are lower-case letters, digits, dots, dashes and underscores',
  );
// Variables that identify a run: a changed one would make it report as another run.
const OWN_NAMES = /^(ERRAND|TASK_MANAGER|NOVA)_/;
const Variables = z.record(
  z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'names of variables are letters, digits and underscores')
    .refine((name) => !OWN_NAMES.test(name), 'ERRAND_, TASK_MANAGER_ and NOVA_ are set by Errand itself'),
  z.string().refine((value) => !value.includes('\0'), 'values hold no null character'),
);
const Variant = z.strictObject({ args: z.array(Argument).default([]), env: Variables.default({}) });

const TITLE = 'must be a text of 1 to 100 characters';
const Entry = z.strictObject({
  kind: z.enum(['command', 'acp']).optional(),
  command: Command.optional(),
  args: z.array(Argument).optional(),
  env: Variables.default({}),
  title: z.string(TITLE).min(1, TITLE).max(100, TITLE).optional(),
  variants: z.record(Name, Variant).default({}),
  max_runs: wholeNumber(1, 1_000).optional(),
});
type Entry = z.infer<typeof Entry>;

/** A program that the operator has configured. */
export type ConfiguredExecutor = Omit<Entry, 'kind' | 'command' | 'args'> & {
  readonly kind: NonNullable<Entry['kind']>;
  readonly command: NonNullable<Entry['command']>;
};
/** The operator's changes to a known agent. */
export type AgentChanges = Omit<Entry, 'kind' | 'command'>;

const KNOWN_NAMES = KNOWN_AGENTS.map(({ name }) => name);

/** Why an entry of this name is invalid; null when it is valid. */
function entryProblem(name: string, { kind, command, args }: Entry): string | null {
  if (name === CHECKS_EXECUTOR) return 'is a name of Errand itself: give the executor another one';
  if (kind === undefined && command === undefined)
    return KNOWN_NAMES.includes(name)
      ? null
      : `is no known agent (${KNOWN_NAMES.join(', ')}), so it needs "kind" and "command"`;
  if (kind === undefined) return '"kind" is missing: "command" for any program, "acp" for one that speaks it';
  if (command === undefined) return '"command" is missing: a list such as ["node", "/home/me/agent.mjs"]';
  return args === undefined ? null : '"args" is for known agents: put the arguments into "command"';
}

const Entries = z.record(Name, Entry).transform((entries, context) => {
  const executors: Record<string, ConfiguredExecutor> = {};
  const agents: Record<string, AgentChanges> = {};
  for (const [name, entry] of Object.entries(entries)) {
    const message = entryProblem(name, entry);
    if (message !== null) context.addIssue({ code: 'custom', message, path: [name] });
    const { kind, command, args, ...rest } = entry;
    if (kind !== undefined && command !== undefined) executors[name] = { kind, command, ...rest };
    else agents[name] = { ...rest, ...(args === undefined ? {} : { args }) };
  }
  return { executors, agents };
});

/** The name of a forge, as in the addresses of its repositories. */
const Host = z.string().regex(/^[a-z0-9.-]{1,253}$/, 'names of hosts are lower-case letters, digits, dots and dashes');

const RunnerConfig = z
  .strictObject({
    executors: Entries.prefault({}),
    runner: z
      .strictObject({
        max_runs: wholeNumber(1, 1_000).optional(),
        lease_ms: wholeNumber(1_000, 3_600_000).optional(),
        isolation: z.enum(['auto', 'off']).optional(),
      })
      .default({}),
    checks: ChecksConfig,
    budgets: BudgetsConfig,
    forges: z.record(Host, z.enum(['gh', 'glab'])).default({}),
  })
  .transform(({ executors: { executors, agents }, ...rest }) => ({ executors, agents, ...rest }));
/** The operator's configuration of this machine: its agents, the checks of their work, what they may use, and the hosts of repositories. */
export type RunnerConfig = z.infer<typeof RunnerConfig>;

const FILE = 'config.json';

const refuse = (data: string, words: string): ErrandError =>
  new ErrandError('validation_error', `${join(data, FILE)}: ${words}`);

function readFile(data: string): string | null {
  let fault: string | null;
  let text: string;
  try {
    text = readFileSync(join(data, FILE), 'utf8');
    fault = privacyFault(join(data, FILE));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown error';
    if (code === 'ENOENT') return null;
    // The whole path: the fault may be the folder's, which this user may not enter.
    throw new ErrandError('validation_error', `${join(data, FILE)} cannot be read: ${code}.`, {
      hint: say`Let this user read it, or name another data folder with --data or ${{ setting: 'ERRAND_DATA' }}.`,
    });
  }
  if (fault !== null) throw refuse(data, `it names programs to run, and ${fault}`);
  return text;
}

function parse(data: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, line, column] = /line (\d+) column (\d+)/.exec(String(error)) ?? [];
    throw refuse(data, line === undefined ? 'is not JSON.' : `is not JSON: see line ${line}, column ${column}.`);
  }
}

const NOUNS: Readonly<Record<string, string>> = { object: 'an object: {…}', record: 'an object: {…}', array: 'a list' };

/** Words for a fault that the schema itself does not describe. */
function wordsFor(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys')
    return `there is no ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
  if (issue.input === undefined) return 'is missing';
  if (issue.code === 'invalid_type') return `must be ${NOUNS[issue.expected] ?? 'a text'}`;
  return issue.code === 'invalid_value' ? `must be one of ${issue.values.join(', ')}` : undefined;
}

/** The first fault, with its path. */
function faultOf({ issues }: z.ZodError): string {
  const [issue] = issues;
  if (issue === undefined) return 'is not understood.';
  const inner = issue.code === 'invalid_key' ? issue.issues[0] : undefined;
  const path = issue.path.map(String).join('.');
  const words = (inner ?? issue).message;
  return path === '' ? words : `${path}: ${words}`;
}

/** SHA-256 of `config.json`: tells whether the file is still the one that a server has read. */
export const configDigest = (data: string): string => hash('sha256', readFile(data) ?? '');

/** Reads `config.json` of the data folder; without it nothing is configured. Throws one line that names the fault. */
export function readConfig(data: string): RunnerConfig {
  const text = readFile(data);
  const parsed = RunnerConfig.safeParse(text === null ? {} : parse(data, text), { error: wordsFor });
  if (!parsed.success) throw refuse(data, faultOf(parsed.error));
  return parsed.data;
}
