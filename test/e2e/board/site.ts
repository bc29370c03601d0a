import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { sendJson } from '../http.ts';
import { errandJson, type Place, placeFlags, type Server, serve, temporaryFolder } from '../program.ts';
import { type Backend, openPlace } from '../world.ts';
import { aRepository, type Repository } from './repository.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A note that an agent of these tests writes at its start. */
export interface AgentNote {
  readonly event: 'start' | 'prompt' | 'end';
  readonly execution_id: string;
  readonly args?: readonly string[];
}

/** A running Errand that runs scripted agents in a repository. */
export interface Site extends AsyncDisposable {
  readonly place: Place;
  readonly server: Server;
  readonly origin: string;
  /** The token of the owner, who may do everything on the board. */
  readonly token: string;
  readonly repository: Repository;
  /** The folder through which tests and agents exchange files. */
  readonly folder: string;
  readonly admin: (tool: string, args: Fields) => Promise<Fields>;
  /** Makes a project with the repository. */
  readonly project: () => Promise<{ readonly project_id: string; readonly repo_id: string }>;
  readonly notes: () => Promise<readonly AgentNote[]>;
}

const BOARD_SCOPES = ['board:read', 'board:write', 'board:run', 'board:delete', 'execution:report'];

const agentAt = (name: string): readonly string[] => [execPath, join(import.meta.dirname, '../board-agents', name)];

export interface SiteOptions {
  /** More of the operator's configuration. */
  readonly config?: object;
  /** What the owner's token may do besides. */
  readonly scopes?: readonly string[];
}

const configOf = (folder: string): object => {
  const env = { AGENT_LOG: join(folder, 'agents.log'), STATE_DIR: join(folder, 'sessions') };
  return {
    executors: {
      scripted: {
        kind: 'command',
        command: agentAt('command-agent.mjs'),
        env: { ...env, AGENT_NAME: 'scripted' },
        variants: { loud: { args: ['--loud'] } },
      },
      asking: { kind: 'acp', command: agentAt('acp-agent.mjs'), env: { ...env, AGENT_NAME: 'asking' } },
      absent: { kind: 'command', command: ['/nowhere/agent'] },
    },
    // Agents that wait for one test must not block the agents of other tests.
    runner: { max_runs: 50 },
  };
};

export async function openSite(backend: Backend, { config = {}, scopes = [] }: SiteOptions = {}): Promise<Site> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await temporaryFolder()).path;
  const { data, database_url } = opened.use(await openPlace(backend));
  const place: Place = { data, database_url };
  await writeFile(join(data, 'config.json'), JSON.stringify({ ...configOf(folder), ...config }));
  await mkdir(join(folder, 'notes'));
  const repository = await aRepository(join(folder, 'shop'), { 'README.md': '# Shop\n' });
  const server = opened.use(await serve(place));
  const create = ['token', 'create', '--kind', 'user', '--name', 'tester', '--scopes'];
  const token = String(
    (await errandJson([...create, ['admin', ...BOARD_SCOPES, ...scopes].join(','), ...placeFlags(place)])).token,
  );

  const admin = async (tool: string, args: Fields): Promise<Fields> => {
    const { status, text } = await sendJson(server.origin, `/api/v1/tools/admin_${tool}`, token, args);
    if (status >= 300) throw new Error(`admin_${tool} answered ${status}: ${text}`);
    return JSON.parse(text) as Fields;
  };
  let projects = 0;
  const project = async () => {
    projects += 1;
    const project_id = String((await admin('add_project', { name: `Shop ${projects}` })).project_id);
    const { repo_id } = await admin('add_repo', { project_id, path: repository.path });
    return { project_id, repo_id: String(repo_id) };
  };
  const notes = async (): Promise<readonly AgentNote[]> =>
    (await readFile(join(folder, 'agents.log'), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AgentNote);

  const all = opened.move();
  const { origin } = server;
  return {
    ...{ place, server, origin, token, repository, folder, admin, project, notes },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
