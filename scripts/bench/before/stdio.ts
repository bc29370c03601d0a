import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { initialize, rpc } from '../../../test/e2e/drivers/mcp-messages.ts';
import { cleanEnvironment } from '../../../test/e2e/program.ts';

const REVISION = '2025-11-25';

/** A client of `errand mcp`, which has the todo list of the person at the machine. */
export interface Stdio extends AsyncDisposable {
  readonly pid: number;
  /** Calls `list_tasks`, one call after another. */
  readonly call: () => Promise<void>;
}

export async function openStdio(program: string, data: string): Promise<Stdio> {
  const child = spawn(execPath, [program, 'mcp', '--profile', 'todo', '--data', data], {
    env: cleanEnvironment(),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const say = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  say(initialize(REVISION, 0));
  await lines.next();
  say({ jsonrpc: '2.0', method: 'notifications/initialized' });

  let id = 0;
  return {
    pid: child.pid ?? 0,
    call: async () => {
      say(rpc(REVISION, ++id, 'tools/call', { name: 'list_tasks', arguments: { user_id: 'me' } }));
      const { value } = await lines.next();
      if (!String(value).includes('"structuredContent":{"tasks":')) throw new Error(`list_tasks over stdio: ${value}`);
    },
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
