import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Arguments } from '../../client.ts';
import { aRepository, type Repository } from '../repository.ts';
import type { Fields, Site } from '../site.ts';
import { type BoardClient, overRest } from '../ways.ts';

const LOOK_EVERY_MS = 100;

/** Every project has a repository of this name: a name is looked for in the project of the call. */
export const REPOSITORY = 'shop';

/** A project with a key and a repository of its own, and a client of the tested transport. */
export interface Loop {
  readonly key: string;
  readonly repository: Repository;
  readonly call: (tool: string, args: Arguments) => Promise<Fields>;
  /** The attempt as an observer sees it, who costs no process. */
  readonly look: (attempt: string, include?: readonly string[]) => Promise<Seen>;
  readonly until: (attempt: string, isSo: (attempt: Seen) => boolean) => Promise<Seen>;
}

export interface Seen extends Fields {
  readonly state: string;
  readonly verdict: string | null;
  readonly folders: string;
  readonly workspace_branch: string;
  readonly task: { readonly status: string };
  readonly run: { readonly execution_id: string; readonly status: string; readonly ended_at: string | null };
  readonly queued: number;
}

async function answered(client: BoardClient, tool: string, args: Arguments): Promise<Fields> {
  const answer = await client.call(tool, args);
  if (!answer.ok) throw new Error(`${tool} was refused: ${JSON.stringify(answer.error)}`);
  return answer.value;
}

export async function openLoop(site: Site, client: BoardClient, key: string, settings: Fields = {}): Promise<Loop> {
  const repository = await aRepository(join(site.folder, key, REPOSITORY), { 'README.md': '# Shop\n' });
  await repository.git('config', 'user.name', 'Ana');
  await repository.git('config', 'user.email', 'ana@localhost');
  await site.admin('add_project', { name: `Loop ${key}`, key });
  if (Object.keys(settings).length > 0) await site.admin('update_project', { project_id: key, ...settings });
  await site.admin('add_repo', { project_id: key, path: repository.path });
  const observer = await overRest.connect(site, site.token);
  const look: Loop['look'] = async (attempt_id, include = []) =>
    (await answered(observer, 'get_attempt', { attempt_id, include })) as Seen;
  return {
    key,
    repository,
    look,
    call: (tool, args) => answered(client, tool, args),
    until: async (attempt, isSo) => {
      for (;;) {
        const seen = await look(attempt);
        if (isSo(seen)) return seen;
        await pause(LOOK_EVERY_MS);
      }
    },
  };
}

/** The run has ended, and no other waits: the state is the last one until somebody acts. */
export const isDone = ({ state, queued }: Seen): boolean => !['queued', 'running'].includes(state) && queued === 0;
