import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree, SCRATCH } from '#runner/git/scratch';
import type { ShipTools } from './ship-tools.ts';

/** Removes the scratch folders that a killed worker left. */
export async function clearScratch({ root, job_id, step }: ShipTools): Promise<void> {
  const found = await readdir(join(root, SCRATCH)).catch(() => []);
  for (const name of found.filter((one) => one.replace(/-\w{6}$/, '') === job_id))
    await step('end of scratch', () => removeTree(join(root, SCRATCH, name)));
}
