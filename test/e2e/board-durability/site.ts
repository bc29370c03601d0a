import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import type { Database } from '../database.ts';
import { errandJson, type Folder, type Place, placeFlags, temporaryFolder } from '../program.ts';
import { openDatabase } from '../world.ts';
import { type AgentLog, openAgentLog } from './agent-log.ts';

const run = promisify(execFile);

export interface RunnerSettings {
  readonly max_runs?: number;
  readonly lease_ms?: number;
  readonly isolation?: 'auto' | 'off';
}

/** A project with a git repository, scripted agents, and a user who may start them. */
export interface Site extends AsyncDisposable {
  readonly place: Place;
  readonly folder: string;
  readonly repository: string;
  /** The commit of the branch at the start. */
  readonly first_commit: string;
  readonly project_id: string;
  readonly repo_id: string;
  readonly token: string;
  readonly agents: AgentLog;
  readonly database: Database;
  /** Writes the settings of a process with this data folder, for its next start; `offers`: whether it has agents. */
  readonly configure: (data: string, runner: RunnerSettings, offers?: boolean) => Promise<void>;
}

export const git = async (folder: string, ...args: readonly string[]): Promise<string> =>
  (await run('git', ['-C', folder, ...args], { maxBuffer: 64 * 1024 * 1024 })).stdout.trim();

const agentAt = (name: string): readonly string[] => [execPath, join(import.meta.dirname, '../board-agents', name)];

/** Makes a repository with one commit. Returns that commit. */
export async function makeRepository(path: string): Promise<string> {
  await mkdir(path);
  await git(path, 'init', '--quiet', '--initial-branch=main');
  await writeFile(join(path, 'README.md'), '# Shop\n');
  await git(path, 'add', '--all');
  await git(path, '-c', 'user.name=Ana', '-c', 'user.email=ana@localhost', 'commit', '--quiet', '--message=First');
  return git(path, 'rev-parse', 'HEAD');
}

const SCOPES = 'board:read,board:write,board:run,board:merge';

/** Opens a site on Postgres when a URL is given, else on SQLite. */
export async function openSite(database_url?: string): Promise<Site> {
  await using opened = new AsyncDisposableStack();
  const { path: folder }: Folder = opened.use(await temporaryFolder());
  const place: Place = { data: join(folder, 'data'), database_url };
  const repository = join(folder, 'shop');
  const agents = openAgentLog(join(folder, 'agents.log'));
  await mkdir(place.data);
  const first_commit = await makeRepository(repository);

  const json = async (...words: readonly string[]) => errandJson([...words, ...placeFlags(place)]);
  const project_id = String((await json('project', 'add', 'Shop')).project_id);
  const repo_id = String((await json('repo', 'add', repository, '--project', project_id)).repo_id);
  const token = (await json('token', 'create', '--kind', 'user', '--name', 'chaos', '--scopes', SCOPES)).token;
  const database = opened.use(openDatabase(place));

  const env = { AGENT_LOG: agents.path, STATE_DIR: join(folder, 'agents') };
  const executors = {
    scripted: { kind: 'command', command: agentAt('command-agent.mjs'), env },
    asking: { kind: 'acp', command: agentAt('acp-agent.mjs'), env },
  };
  const all = opened.move();
  return {
    ...{ place, folder, repository, first_commit, project_id, repo_id, token: String(token), agents, database },
    configure: async (data, runner, offers = true) => {
      await mkdir(data, { recursive: true });
      await writeFile(join(data, 'config.json'), JSON.stringify({ executors: offers ? executors : {}, runner }));
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
