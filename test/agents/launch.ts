import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { env, execPath, kill } from 'node:process';
import { text } from 'node:stream/consumers';
import type { Agent, Setting } from './agent.ts';
import { programOf } from './install.ts';

const MAX_RUN_MS = 90_000;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Kills the agent with all its children: stdio servers would survive if only the agent were killed. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) kill(-pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

/** Runs an agent to its end in an empty folder, with a minimal environment. */
export async function runAgent(agent: Agent, setting: Setting): Promise<Ended> {
  const { args, env: extra, files } = agent.launch(setting);
  const work = join(setting.home, 'work');
  await mkdir(work);
  for (const [path, content] of Object.entries(files)) {
    const file = join(setting.home, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  const path = [dirname(execPath), env.PATH].join(delimiter);
  const child = spawn(programOf(agent), args, {
    cwd: work,
    env: { PATH: path, HOME: setting.home, TMPDIR: setting.home, LANG: 'C.UTF-8', ...extra },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const limit = setTimeout(() => endGroup(child), MAX_RUN_MS);
  try {
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    return { code, stdout, stderr };
  } finally {
    clearTimeout(limit);
    endGroup(child);
  }
}
