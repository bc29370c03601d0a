import { readdir, readFile } from 'node:fs/promises';

/** How many processes of a run there are. Agents may live where their own numbers mean nothing out here, but what they start inherits the name of the run. */
export async function processesOf(execution_id: string): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const surroundings = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')));
  return surroundings.filter((text) => text.split('\0').includes(`NOVA_EXECUTION_ID=${execution_id}`)).length;
}
