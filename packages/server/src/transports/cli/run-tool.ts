import { ErrandError } from '#errors';
import type { Call, Gateway, WireError } from '#gateway/gateway';
import type { Tool } from '#tools/catalog';
import type { Calls } from './calls.ts';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { readable, WIDTH, wrapped } from './print.ts';
import { walkTool } from './walk-tool.ts';

export interface ToolRun {
  readonly calls: Calls;
  readonly tool: Tool;
  readonly input: Record<string, unknown>;
  readonly json: boolean;
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
export async function runTool({ calls, tool, input, json }: ToolRun): Promise<number> {
  const walk = tool.cli?.walk;
  const call = (asked: ToolRun['input']) => calls.call(tool, asked, json ? 'json' : 'command');
  const outcome = walk === undefined ? await call(input) : await walkTool(call, input, walk);
  if (outcome === null) return EXIT.ok;
  if (outcome.ok) {
    const answer = JSON.parse(outcome.json);
    process.stdout.write(`${json ? outcome.json : readable(answer, process.stdout.columns || undefined)}\n`);
    return tool.cli?.succeeds?.(answer) === false ? EXIT.failed : EXIT.ok;
  }
  tellFailure(outcome.error, json);
  return exitCodeOf(outcome.status);
}

/** Prints a failure: a line of JSON for scripts; message and hint for people. */
export function tellFailure(error: WireError, json: boolean): void {
  const lines = [`errand: ${error.message}`, ...(error.hint ? [error.hint] : [])];
  const width = process.stderr.isTTY === true ? process.stderr.columns || WIDTH : Number.POSITIVE_INFINITY;
  process.stderr.write(`${json ? JSON.stringify({ error }) : wrapped(lines.join('\n'), width)}\n`);
}
