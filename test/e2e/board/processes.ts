import { readdir, readFile } from 'node:fs/promises';

/** Counts the processes of a run. Agents may have a pid namespace, but all processes inherit the run's id. */
export async function processesOf(execution_id: string): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const surroundings = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')));
  return surroundings.filter((text) => text.split('\0').includes(`NOVA_EXECUTION_ID=${execution_id}`)).length;
}
