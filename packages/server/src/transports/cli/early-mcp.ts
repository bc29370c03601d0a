import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type EarlyAnswers, type EarlyRead, type EarlyResult, readEarly, resumeEarly } from '@errand/mcp/early';
import { builtAnswers, keptAnswers } from './early-files.ts';
import type { EarlyStart } from './own-streams.ts';
import { abortOnStop } from './stop-signal.ts';

interface Start {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the answers that were built with the program; a program that runs from source has none. */
  readonly built: string;
}

const FLAGS = new Set(['--profile', '--data', '--database-url']);
/** The profile that opens no database and needs no token. */
const REPORTER = 'executions';
const NO_ANSWERS: EarlyAnswers = { read: () => null, keep: () => undefined };

/** The flags of `errand mcp`; null when the program itself must check the command line. */
function flagsOf(words: readonly string[]): ReadonlyMap<string, string> | null {
  const flags = new Map<string, string>();
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [name = '', ...joined] = word.split('=');
    const value = joined.length > 0 ? joined.join('=') : rest.shift();
    if (!FLAGS.has(name) || value === undefined) return null;
    flags.set(name, value);
  }
  return flags;
}

function dataFolder(given: string | undefined): string {
  const path = given || '~/.errand';
  return resolve(path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path);
}

function answersFor({ words, env, built }: Start): EarlyAnswers | null {
  const [command, ...rest] = words;
  const flags = command === 'mcp' ? flagsOf(rest) : null;
  const profile = flags?.get('--profile') ?? 'all';
  const own = flags === null ? null : builtAnswers(built, profile);
  const { ERRAND_TOKEN: token = '', NOVA_EXECUTION_ID: run = '' } = env;
  if (own === null || profile === REPORTER || (token === '' && run === '')) return own;
  const folder = join(dataFolder(flags?.get('--data') ?? env.ERRAND_DATA), 'early');
  // All tokens of runs share one entry: each run has its own token, and all see the same tools.
  const subject = token.startsWith('errand_attempt_') ? 'attempt' : token;
  return keptAnswers(folder, [own.edition(), profile, subject, run === '' ? '' : 'run']);
}

/** What the launcher answered before it started this process. */
export interface Handover {
  readonly results: readonly EarlyResult[];
}

const ownAnswers = (start: Start): EarlyAnswers | null => (start.words[0] === 'mcp' ? answersFor(start) : null);

/** For the launcher, in a Node that cannot run the program: answers an MCP client before that is started; null for every other command. */
export async function answerFirst(start: Start): Promise<EarlyRead | null> {
  const answers = ownAnswers(start);
  return answers === null ? null : readEarly({ input: process.stdin, output: process.stdout, answers });
}

/** Answers an MCP client before the program is loaded, unless the launcher did; null for every other command. */
export async function openEarly(start: Start, handover?: Promise<Handover>): Promise<EarlyStart | null> {
  const answers = ownAnswers(start);
  if (answers === null && handover === undefined) return null;
  const { stdin: input, stdout: output } = process;
  // Remember a signal that arrives while the program loads: ending now would leave requests without an answer.
  const signal = abortOnStop();
  // The launcher holds signals back until then.
  if (handover !== undefined) process.send?.('listening');
  const known = answers ?? NO_ANSWERS;
  const read =
    handover === undefined ? await readEarly({ input, output, answers: known }) : { input, ...(await handover) };
  return {
    ...resumeEarly({ output, answers: known, ...read }),
    // The launcher ends the input after what the client has sent.
    stop: { signal, ends_input: handover !== undefined },
  };
}
