import { existsSync, readFileSync } from 'node:fs';
import { bearer, send } from '../http.ts';
import type { StoredRun } from './judge-runs.ts';
import { environmentFile } from './scripts.ts';

/** Below the limit of refusals per address, after which the server answers only 429. */
const FROM_ONE_ADDRESS = 30;

/** Checks the tokens of ended runs: none of them may work. */
export async function judgeTokens(
  origin: string,
  folder: string,
  runs: readonly StoredRun[],
): Promise<readonly string[]> {
  const found: string[] = [];
  const left = runs.map(({ key, id }) => ({ key, id, file: environmentFile(folder, key) }));
  for (const [index, { key, id, file }] of left.filter(({ file: one }) => existsSync(one)).entries()) {
    const text = readFileSync(file, 'utf8');
    // The agent was killed while it wrote the file.
    if (!text.endsWith('}\n')) continue;
    const { ERRAND_TOKEN: token } = JSON.parse(text) as { readonly ERRAND_TOKEN: string };
    const { status } = await send(origin, {
      method: 'GET',
      path: `/api/executions/${id}`,
      headers: bearer(token),
      local_address: `127.0.${Math.floor(index / FROM_ONE_ADDRESS / 200)}.${2 + (Math.floor(index / FROM_ONE_ADDRESS) % 200)}`,
    });
    if (status !== 401) found.push(`the token of run ${key} answers ${status}`);
  }
  return found;
}
