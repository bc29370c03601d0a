import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { answerEarly, type EarlyAnswers } from '@errand/mcp/early';
import { builtAnswers, keptAnswers } from './early-files.ts';
import { type EarlyStart, STOP_SIGNALS } from './own-streams.ts';

interface Start {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the answers that were built with the program; a program that runs from source has none. */
  readonly built: string;
}

const FLAGS = new Set(['--profile', '--data', '--database-url']);
/** The profile that opens no database and needs no token. */
const REPORTER = 'executions';

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
  return keptAnswers(folder, [own.edition, profile, subject, run === '' ? '' : 'run']);
}

/** Answers an MCP client before the program is loaded; null for every other command. */
export async function openEarly(start: Start): Promise<EarlyStart | null> {
  const answers = start.words[0] === 'mcp' ? answersFor(start) : null;
  if (answers === null) return null;
  // Remember a signal that arrives while the program loads: ending now would leave requests without an answer.
  let isStopAsked = false;
  for (const signal of STOP_SIGNALS) process.once(signal, () => (isStopAsked = true));
  const streams = await answerEarly({ input: process.stdin, output: process.stdout, answers });
  return { ...streams, isStopAsked: () => isStopAsked };
}
