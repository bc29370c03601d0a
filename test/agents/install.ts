import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { env, execPath } from 'node:process';
import { promisify } from 'node:util';
import type { Agent } from './agent.ts';

const run = promisify(execFile);
const FOLDER = join(import.meta.dirname, '../../node_modules/.cache/errand-agents');
const MODULES = join(FOLDER, 'node_modules');
const DONE = join(FOLDER, 'installed.json');

/** The PATH entry with the agents. */
export const BIN = join(MODULES, '.bin');
export const programOf = ({ command }: Agent): string => join(BIN, command);

/** Runs npm with this Node: an older one on the PATH may be too old for some agents. */
function npm(args: readonly string[]): Promise<unknown> {
  const path = [dirname(execPath), env.PATH].join(delimiter);
  return run('npm', args, { cwd: FOLDER, env: { ...env, PATH: path } });
}

/** Installs missing agents into one shared folder that is not committed. */
export async function installAgents(agents: readonly Agent[]): Promise<void> {
  const dependencies = Object.fromEntries(agents.map(({ package_name, version }) => [package_name, version]));
  const wanted = JSON.stringify({ private: true, dependencies });
  if ((await readFile(DONE, 'utf8').catch(() => '')) === wanted) return;

  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, 'package.json'), wanted);
  await npm(['install', '--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']);
  for (const { package_name, install_script } of agents) {
    if (install_script !== undefined) await run(execPath, [install_script], { cwd: join(MODULES, package_name) });
  }
  // Written last: an interrupted installation is repeated.
  await writeFile(DONE, wanted);
}
