import type { Call, Gateway, WireError } from '#gateway/gateway';
import type { Tool } from '#tools/catalog';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { readable } from './print.ts';

export interface ToolRun {
  readonly gateway: Gateway;
  readonly tool: Tool;
  readonly input: Record<string, unknown>;
  /** Who calls; null for the owner of the machine. */
  readonly token: string | null;
  readonly json: boolean;
}

/** Who types: the owner of the token, or of the machine. */
export const callerOf = (gateway: Gateway, token: string | null): Promise<Call['caller']> =>
  token === null ? gateway.local() : gateway.authenticate(token);

/** One call from the command line: the answer to stdout, a failure to stderr. Resolves with the exit code. */
export async function runTool({ gateway, tool, input, token, json }: ToolRun): Promise<number> {
  const caller = await callerOf(gateway, token);
  const outcome = await gateway.dispatch({ caller, tool, input, transport: 'cli' });
  if (outcome.ok) {
    const answer = JSON.parse(outcome.json);
    process.stdout.write(`${json ? outcome.json : readable(answer)}\n`);
    return tool.cli?.succeeds?.(answer) === false ? EXIT.failed : EXIT.ok;
  }
  tellFailure(outcome.error, json);
  return exitCodeOf(outcome.status);
}

/** A failure for whoever reads it: a line of JSON for scripts, what happened and what to do for people. */
export function tellFailure(error: WireError, json: boolean): void {
  const lines = json ? [JSON.stringify({ error })] : [`errand: ${error.message}`, ...(error.hint ? [error.hint] : [])];
  process.stderr.write(`${lines.join('\n')}\n`);
}
