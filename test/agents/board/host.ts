import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { env, execPath } from 'node:process';
import { bearer, send, sendJson } from '../../e2e/http.ts';
import { errandJson, placeFlags, type Server, serve } from '../../e2e/program.ts';
import { BIN } from '../install.ts';
import type { BoardAgent, BoardSetting } from './agent.ts';

const SCOPES = ['admin', 'board:read', 'board:write', 'board:run', 'board:merge', 'execution:report'];

export type Fields = Readonly<Record<string, unknown>>;

/** A server on a machine with one agent. */
export interface Host extends AsyncDisposable {
  readonly call: (tool: string, args: Fields) => Promise<Fields>;
  readonly read: (path: string) => Promise<Fields>;
  /** Stops the server and starts another on the same data. */
  readonly replaceServer: () => Promise<void>;
  /** Returns the server's log without successful calls. */
  readonly log: () => readonly string[];
}

/** More of the operator's configuration. */
export interface MoreConfig {
  readonly executors?: object;
  readonly checks?: object;
}

async function furnish(
  { files, configured, executor }: BoardAgent,
  setting: BoardSetting,
  data: string,
  { executors: others, ...more }: MoreConfig,
) {
  for (const [path, text] of Object.entries(files(setting))) {
    await mkdir(dirname(join(setting.home, path)), { recursive: true });
    await writeFile(join(setting.home, path), text);
  }
  const executors = { ...(configured && { [executor]: configured(setting) }), ...others };
  await writeFile(join(data, 'config.json'), JSON.stringify({ executors, ...more }));
}

export async function openHost(
  agent: BoardAgent,
  setting: BoardSetting,
  data: string,
  more: MoreConfig = {},
): Promise<Host> {
  await furnish(agent, setting, data, more);
  const surroundings = {
    PATH: [BIN, dirname(execPath), env.PATH].join(delimiter),
    ...{ HOME: setting.home, TMPDIR: setting.home, LANG: 'C.UTF-8' },
    ...agent.env(setting),
  };
  let server: Server = await serve({ data }, surroundings);
  const create = ['token', 'create', '--kind', 'user', '--name', 'tester', '--scopes', SCOPES.join(',')];
  const token = String((await errandJson([...create, ...placeFlags({ data })])).token);

  const answered = (path: string, { status, text }: { readonly status: number; readonly text: string }): Fields => {
    if (status >= 300) throw new Error(`${path} answered ${status}: ${text}`);
    return JSON.parse(text) as Fields;
  };
  return {
    call: async (tool, args) => {
      const path = `/api/v1/tools/${tool}`;
      return answered(path, await sendJson(server.origin, path, token, args));
    },
    read: async (path) => answered(path, await send(server.origin, { method: 'GET', path, headers: bearer(token) })),
    replaceServer: async () => {
      await server.stop();
      server = await serve({ data }, surroundings);
    },
    log: () => server.lines.filter((line) => !line.includes('"outcome":"ok"')),
    [Symbol.asyncDispose]: async () => void (await server.stop()),
  };
}
