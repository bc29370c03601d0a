import { killLoop, type Verdict } from '../durability/kill-loop.ts';
import type { Plant } from '../durability/planted-store.ts';
import type { Write } from '../durability/writers.ts';
import { type Place, serve } from '../program.ts';
import { plantAgent, plantSite } from './site.ts';
import { openStore } from './tracker.ts';

interface Kills {
  readonly cycles: number;
  readonly seed: number;
  readonly plant?: Plant;
}

/** Lets an agent create cards, many of them twice, on a server that is killed and restarted. */
export async function killWhileCreating({ data, database_url }: Place, kills: Kills): Promise<Verdict> {
  const place = { data, database_url };
  await (await serve(place)).stop();
  const store = await openStore(place);
  const workspace = await store.reads.workspaces.first();
  if (workspace === null) throw new Error('The server has made no workspace.');
  const { project_id, ...site } = await plantSite(store, workspace.id, 'site');
  const { token } = await plantAgent(store, site, [project_id], ['issue:create']);
  await store.close();

  const does: Write = {
    tool: 'tasker_create_issue',
    args: (name) => ({ project_id, name }),
    idOf: (answer) => (answer as { issue: { id: string } }).issue.id,
  };
  return killLoop({ ...place, token, does, ...kills });
}
