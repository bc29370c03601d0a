import type { Gateway } from '#gateway/gateway';
import type { Tool } from '#tools/catalog';
import { runBoard } from './board/run-board.ts';
import type { Calls } from './calls.ts';
import { localCalls } from './local-calls.ts';
import { type Actions, createProgram, runProgram, typedIn } from './program.ts';
import { callerOf, runTool, tellThrown } from './run-tool.ts';
import type { Screen } from './screen.ts';
import { type CommonFlags, flagOf, wordsOf } from './tool-command.ts';
import type { TypedLine } from './typed-line.ts';

export interface TypedNeeds {
  readonly gateway: Gateway;
  readonly tools: readonly Tool[];
  readonly version: string;
  /** The token of the process that typed the command; null when its settings lead to other data or other rules than this server's. */
  readonly tokenThere: (env: TypedLine['env'], flags: CommonFlags) => { readonly token: string | null } | null;
}

/** Thrown before anything is done: the command needs its own process. */
class NotHere extends Error {
  override readonly name = 'NotHere';
}

const refuse = async (): Promise<never> => {
  throw new NotHere();
};

/** Commands that are no calls of tools. */
const ELSEWHERE: Omit<Actions, 'board' | 'runTool'> = {
  ...{ serve: refuse, mcp: refuse, worker: refuse, open: refuse, connect: refuse, step: refuse },
  ...{ login: refuse, logout: refuse, migrate: refuse, doctor: refuse },
};

/** Whether the command of a tool reads a secret, a file or a path where it is typed. */
function readsThere(tool: Tool, words: readonly string[]): boolean {
  const { typed = [], files = [], paths = [], positionals = [] } = tool.cli ?? {};
  const isGiven = (field: string): boolean =>
    positionals.includes(field) || words.some((word) => word.split('=', 1)[0] === `--${flagOf(tool, field)}`);
  return typed.length > 0 || [...files, ...paths].some(isGiven);
}

/** Commands that listen to the keys of the person while they run. */
const listens = ([command, ...words]: readonly string[]): boolean => command === 'watch' || words.includes('--wait');

/**
 * Runs a command line for another process of the same person, on its screen. Resolves with the exit code, or with null
 * when that process has to run it itself; then nothing was done or printed.
 */
export async function runTyped(
  line: TypedLine,
  { screen, gone }: { readonly screen: Screen; readonly gone: AbortSignal },
  { gateway, tools, version, tokenThere }: TypedNeeds,
): Promise<number | null> {
  const { argv } = line;
  const isTyped = typedIn(argv);
  const isThere = (tool: Tool): boolean => {
    const [group = '', name = ''] = wordsOf(tool);
    return isTyped(group) && isTyped(name, group) && readsThere(tool, argv);
  };
  if (listens(argv) || tools.some(isThere)) return null;

  let code = 0;
  const callsFor = async (flags: CommonFlags): Promise<Calls> => {
    const there = tokenThere(line.env, flags);
    if (there === null) throw new NotHere();
    return localCalls(gateway, await callerOf(gateway, there.token), gone);
  };
  const interrupted = new Promise<void>((resolve) => gone.addEventListener('abort', () => resolve(), { once: true }));
  const inputs = { listen: () => null, interrupted: () => interrupted };
  const actions: Actions = {
    ...ELSEWHERE,
    board: async (work, flags) => {
      code = await runBoard(await callsFor(flags), flags.json === true, work, { screen, inputs });
    },
    runTool: async (tool, input, flags) => {
      code = await runTool({ calls: await callsFor(flags), tool, input, json: flags.json === true, screen });
    },
  };
  try {
    return (await runProgram(createProgram(tools, version, actions, argv), argv, screen)) || code;
  } catch (error) {
    if (error instanceof NotHere) return null;
    return tellThrown(error, argv.includes('--json'), screen);
  }
}
