import { randomUUID } from 'node:crypto';
import { ErrandError } from '#errors';
import type { Call, Gateway, WireError } from '#gateway/gateway';
import { wireError } from '#gateway/outcome';
import type { Tool } from '#tools/catalog';
import type { Calls } from './calls.ts';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { readable, wrapped } from './print.ts';
import { ownScreen, type Screen } from './screen.ts';
import { walkTool } from './walk-tool.ts';

export interface ToolRun {
  readonly calls: Calls;
  readonly tool: Tool;
  readonly input: Record<string, unknown>;
  readonly json: boolean;
  readonly screen?: Screen;
}

/** Returns the caller: the owner of the token, or of the machine. */
export async function callerOf(gateway: Gateway, token: string | null): Promise<Call['caller']> {
  if (token === null) return gateway.local();
  try {
    return await gateway.authenticate(token);
  } catch (error) {
    if (!(error instanceof ErrandError) || error.code !== 'unauthenticated') throw error;
    throw new ErrandError(
      'unauthenticated',
      'ERRAND_TOKEN holds no token that works: it is unknown, expired or revoked.',
      {
        hint: 'Set it to another, or unset it to act as the owner of this machine.',
      },
    );
  }
}

/** Makes one call: the answer goes to stdout, a failure to stderr. Resolves with the exit code. */
export async function runTool({ calls, tool, input, json, screen = ownScreen() }: ToolRun): Promise<number> {
  const { out } = screen;
  const walk = tool.cli?.walk;
  const call = (asked: ToolRun['input']) => calls.call(tool, asked, json ? 'json' : 'command');
  const outcome = walk === undefined ? await call(input) : await walkTool(call, input, { walk, out });
  if (outcome === null) return EXIT.ok;
  if (outcome.ok) {
    const answer = JSON.parse(outcome.json);
    void out(`${json ? outcome.json : readable(answer, screen.columns || undefined)}\n`);
    return tool.cli?.succeeds?.(answer) === false ? EXIT.failed : EXIT.ok;
  }
  tellFailure(outcome.error, json, screen);
  return exitCodeOf(outcome.status);
}

/** Prints a failure: a line of JSON for scripts; message and hint for people. */
export function tellFailure(error: WireError, json: boolean, { err, error_columns }: Screen = ownScreen()): void {
  const lines = [`errand: ${error.message}`, ...(error.hint ? [error.hint] : [])];
  const width = error_columns ?? Number.POSITIVE_INFINITY;
  err(`${json ? JSON.stringify({ error }) : wrapped(lines.join('\n'), width)}\n`);
}

/** An error of the system (a folder, a port) is printed in the system's words; anything else is our bug, with its stack. */
function printable(error: unknown): ErrandError {
  if (error instanceof ErrandError) return error;
  if (error instanceof Error && 'syscall' in error) return new ErrandError('internal', `${error.message}.`);
  throw error;
}

/** Prints the error that ended a command. Returns the exit code. */
export function tellThrown(thrown: unknown, json: boolean, screen: Screen = ownScreen()): number {
  const { status, error } = wireError(printable(thrown), randomUUID());
  tellFailure(error, json, screen);
  return exitCodeOf(status);
}
