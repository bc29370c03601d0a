import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { text } from 'node:stream/consumers';
import { cleanEnvironment, temporaryFolder } from './program.ts';

const INSPECTOR = join(
  import.meta.dirname,
  '../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);

/** Calls a tool with the Inspector's command line. Returns its output. */
export async function inspect(
  url: URL,
  era: string,
  tool: string,
  args: Readonly<Record<string, string | number>>,
): Promise<string> {
  await using home = await temporaryFolder();
  const call = ['--method', 'tools/call', '--tool-name', tool];
  const given = Object.entries(args).flatMap(([name, value]) => ['--tool-arg', `${name}=${value}`]);
  const target = [url.href, '--transport', 'http', '--protocol-era', era];
  const child = spawn(execPath, [INSPECTOR, '--cli', ...target, ...call, ...given], {
    // The Inspector keeps a list of servers in the home folder.
    env: cleanEnvironment({ HOME: home.path }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return `${out}${err}`;
}
