import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRepository } from '../../../test/e2e/board-durability/site.ts';
import { sendJson } from '../../../test/e2e/http.ts';
import { errandJson, type Place, placeFlags, temporaryFolder } from '../../../test/e2e/program.ts';
import { serve } from '../errand.ts';

export type Fields = Readonly<Record<string, unknown>>;
/** Calls a tool over REST as the holder of a token. */
export type Ask = (tool: string, args: Fields, token?: string) => Promise<Fields>;

/** A server as people start it, and its owner. */
export interface WebSite extends AsyncDisposable {
  readonly origin: string;
  readonly folder: string;
  readonly ask: Ask;
}

// A sign-in link gives what its maker has.
const SCOPES = [
  ...['admin', 'workspace:read', 'project:read', 'project:member:add_existing'],
  ...['issue:read', 'issue:create', 'issue:update', 'issue:move', 'issue:label', 'issue:assign', 'issue:comment'],
  ...['issue:structured_blocks:write', 'todo:read', 'todo:write', 'execution:report'],
  ...['board:read', 'board:write', 'board:run', 'board:delete', 'board:merge'],
].join();

/** An agent that tells its token and its run to the reader of the note, and then waits. */
const AGENT =
  'cat >/dev/null; printf "%s %s" "$ERRAND_TOKEN" "$NOVA_EXECUTION_ID" >"$NOTE.new"; mv "$NOTE.new" "$NOTE"; exec sleep 86400';

const noteIn = (folder: string): string => join(folder, 'agent-note');

export async function openWebSite(): Promise<WebSite> {
  await using opened = new AsyncDisposableStack();
  const { path: folder } = opened.use(await temporaryFolder());
  const place: Place = { data: join(folder, 'data') };
  await mkdir(place.data);
  const waiting = { kind: 'command', command: ['/bin/sh', '-c', AGENT], env: { NOTE: noteIn(folder) } };
  await writeFile(join(place.data, 'config.json'), JSON.stringify({ executors: { waiting } }));
  const { origin } = opened.use(await serve(place));
  const create = ['token', 'create', '--kind', 'user', '--name', 'bench', '--scopes', SCOPES];
  const owner = String((await errandJson([...create, ...placeFlags(place)])).token);
  const ask: Ask = async (tool, args, token = owner) => {
    const { status, text } = await sendJson(origin, `/api/v1/tools/${tool}`, token, args);
    if (status >= 300) throw new Error(`${tool} answered ${status}: ${text}`);
    return JSON.parse(text) as Fields;
  };
  const all = opened.move();
  return { origin, folder, ask, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** Starts a real attempt at a task. Resolves with its name and with what its agent reports by. */
export async function startAttempt({ ask, folder }: WebSite, project_id: string, task_id: string) {
  const path = join(folder, 'shop');
  await makeRepository(path);
  const { repo_id } = await ask('admin_add_repo', { project_id, path });
  const { attempt_id } = await ask('start_task_attempt', { task_id, executor: 'waiting', repos: [{ repo_id }] });
  for (let left = 600; left > 0; left -= 1) {
    const [token, execution_id] = (await readFile(noteIn(folder), 'utf8').catch(() => '')).split(' ');
    if (token && execution_id) return { attempt_id: String(attempt_id), token, execution_id };
    await sleep(100);
  }
  throw new Error('The agent did not start within a minute.');
}
