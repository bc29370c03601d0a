import { randomInt, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { readMachine } from '#runner/process/machine';
import { createProcesses, type ProcessesOptions } from '#runner/process/processes';
import { createUuidV7 } from '#store/uuid-v7';

/** A duration for `sleep` that no other test uses: it identifies a process, and limits its life. */
export const aTag = (): string => `120.${randomInt(10 ** 9, 10 ** 10)}`;

/** Processes of the machine that have the tag in their command line. */
export function tagged(tag: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandOf(name).includes(tag))
    .map(Number);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Kills processes that a test has left on purpose. */
export function killTagged(tag: string): void {
  for (const pid of tagged(tag)) process.kill(pid, 'SIGKILL');
}

/** The runner's processes, in a folder that is removed after the test. */
export async function openProcesses(options: Pick<ProcessesOptions, 'isolation' | 'max_processes'>) {
  const folder = mkdtempSync(join(tmpdir(), 'errand-process-'));
  const machine = readMachine(folder, { ids: createUuidV7(Date.now), clock: Date.now });
  const errors: unknown[] = [];
  const processes = await createProcesses({ machine, hides: [], report: (error) => errors.push(error), ...options });
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };

  return {
    ...processes,
    machine,
    folder,
    errors,
    start: (argv: readonly string[], execution_id: string = randomUUID()) =>
      processes.spawn({ argv, folder, env, execution_id, shows: [] }),
    shell: (script: string, execution_id: string = randomUUID()) =>
      processes.spawn({ argv: ['sh', '-c', script], folder, env, execution_id, shows: [] }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

export async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

/** Resolves when the stream contains the word. */
export function heard(stream: Readable, word: string): Promise<void> {
  let text = '';
  return new Promise((resolve, reject) => {
    stream.on('data', (chunk) => {
      text += String(chunk);
      if (text.includes(word)) resolve();
    });
    stream.once('end', () => reject(new Error(`It ended without saying ${word}: ${text.slice(0, 500)}`)));
  });
}
