import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';

const PARENT = join(import.meta.dirname, 'parent.ts');
const SOURCE = ['--conditions=errand-source'];
const NOBODY = 65534;
const Facts = z.object({
  isolation: z.enum(['namespace', 'group']),
  hides: z.boolean(),
  pid: z.number(),
  pid_started: z.string(),
  boot_id: z.string(),
});

export interface ParentOptions {
  readonly isolation: 'auto' | 'off';
  readonly execution_id: string;
  readonly script: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The paths that the program must not see, and the exceptions. */
  readonly hides?: readonly string[];
  readonly shows?: readonly string[];
  /** Runs as the user `nobody`, which needs root. */
  readonly as_nobody: boolean;
}

/** Starts a process like the server, which starts a program like an agent. */
export async function startParent(options: ParentOptions) {
  const { isolation, execution_id, script, env = {}, hides = [], shows = [], as_nobody } = options;
  const folder = mkdtempSync(join(tmpdir(), 'errand-process-'));
  if (as_nobody) chownSync(folder, NOBODY, NOBODY);
  const user = as_nobody ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(
    process.execPath,
    [...SOURCE, PARENT, folder, isolation, execution_id, script, JSON.stringify(hides), JSON.stringify(shows)],
    { env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...env }, stdio: ['ignore', 'pipe', 'inherit'], ...user },
  );
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value ?? '');
  const facts = Facts.parse(JSON.parse(await next()));

  return {
    facts,
    next,
    rest: async () => {
      const text: string[] = [];
      for (let line = await lines.next(); !line.done; line = await lines.next()) text.push(line.value);
      return text;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    [Symbol.dispose]: () => {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
