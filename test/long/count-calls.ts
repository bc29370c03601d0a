import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../e2e/program.ts';
import { runWriter, type WriterOptions } from './run-writer.ts';

/** Counts how often an undisturbed writer makes each of these system calls. */
export async function countCalls<Name extends string>(
  names: readonly Name[],
  options: Omit<WriterOptions, 'path'>,
): Promise<ReadonlyMap<Name, number>> {
  await using folder = await temporaryFolder();
  const trace = join(folder.path, 'trace');
  const strace = ['--seccomp-bpf', '-f', '-s', '0', '-e', `trace=${names.join(',')}`, '-o', trace];
  await runWriter({ ...options, path: join(folder.path, 'errand.db') }, strace);
  const lines = (await readFile(trace, 'utf8')).split('\n');
  return new Map(names.map((name) => [name, lines.filter((line) => line.includes(` ${name}(`)).length]));
}
