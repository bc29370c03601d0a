import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process, { execPath } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Admin, adminOf, adminToken } from '../../test/e2e/admin.ts';
import type { Arguments, TodoTool } from '../../test/e2e/client.ts';
import { mcpHeaders, type Revision, rpc } from '../../test/e2e/drivers/mcp-messages.ts';
import { send } from '../../test/e2e/http.ts';
import { cleanEnvironment, ERRAND, type Place, placeFlags } from '../../test/e2e/program.ts';
import type { Shot } from './load.ts';

/** A running Errand, as users run it, with a personal token of one user. */
export interface BenchErrand extends AsyncDisposable {
  readonly origin: string;
  readonly admin: Admin;
  readonly user_id: string;
  readonly token: string;
  readonly shot: (revision: Revision, tool: TodoTool, args: Arguments) => Shot;
  /** Makes one call. Returns the result as it is in the answer. */
  readonly call: (tool: TodoTool, args: Arguments) => Promise<CallResult>;
}

export interface CallResult {
  readonly isError?: boolean;
  readonly structuredContent: Readonly<Record<string, unknown>>;
}

let servers = 0;

/** Runs `errand serve` with its log in a file: a process that reads the log would use CPU time. */
export async function serve(
  place: Place,
  program = ERRAND,
): Promise<AsyncDisposable & { readonly origin: string; readonly pid: number }> {
  const log = join(place.data, `bench-${++servers}.log`);
  const file = openSync(log, 'w');
  const child = spawn(execPath, [program, 'serve', '--port', '0', ...placeFlags(place)], {
    env: cleanEnvironment(),
    stdio: ['ignore', file, 'inherit'],
  });
  closeSync(file);
  const ended = once(child, 'exit');
  const end = (): void => void child.kill('SIGTERM');
  process.once('exit', end);
  const stop = async (): Promise<void> => {
    process.off('exit', end);
    end();
    await ended;
  };
  while (child.exitCode === null) {
    // Earlier releases could log a line before the announcement. The last piece is empty, or a line that is not complete.
    const announced = readFileSync(log, 'utf8')
      .split('\n')
      .slice(0, -1)
      .find((line) => line.includes('"mcp":'));
    if (announced !== undefined) {
      const { origin } = new URL((JSON.parse(announced) as { mcp: string }).mcp);
      return { origin, pid: child.pid ?? 0, [Symbol.asyncDispose]: stop };
    }
    await sleep(20);
  }
  throw new Error(`errand serve ended with ${child.exitCode}.`);
}

export async function startErrand(place: Place): Promise<BenchErrand> {
  // Stop the server on failure: the reader of its errors would otherwise wait for ever.
  await using opened = new AsyncDisposableStack();
  const server = opened.use(await serve(place));
  const admin = adminOf(server.origin, await adminToken(place));
  const user_id = await admin.addUser('bench');
  const { token } = await admin.createToken({ kind: 'user', user_id });

  const shot: BenchErrand['shot'] = (revision, tool, args) => {
    const message = rpc(revision, 1, 'tools/call', { name: tool, arguments: args });
    const headers = mcpHeaders(revision, token, message);
    return { url: `${server.origin}/mcp/todo`, headers, body: JSON.stringify(message) };
  };
  const call: BenchErrand['call'] = async (tool, args) => {
    const { headers, body } = shot('2026-07-28', tool, args);
    const { text } = await send(server.origin, { path: '/mcp/todo', headers, body });
    const { result } = JSON.parse(text) as { result?: CallResult };
    if (result === undefined || result.isError === true) throw new Error(`${tool} answered ${text}`);
    return result;
  };
  const { origin } = server;
  const all = opened.move();
  return { origin, admin, user_id, token, shot, call, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
