import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendJson } from '../e2e/http.ts';
import { errandJson, placeFlags, serve, temporaryFolder } from '../e2e/program.ts';
import type { Agent, Server } from './agent.ts';
import { codex } from './codex.ts';
import { runAgent } from './launch.ts';
import { createPlay } from './model/script.ts';
import { startModel } from './model/server.ts';

const TIMEOUT_MS = 120_000;
const CONFIG = '.codex/config.toml';

let server: Extract<Server, { url: string }>;
let origin = '';
const opened = new AsyncDisposableStack();
beforeAll(async () => {
  const place = { data: opened.use(await temporaryFolder()).path };
  origin = opened.use(await serve(place)).origin;
  const command = ['token', 'create', '--kind', 'user', '--name', 'codex', '--scopes', 'todo:read,todo:write'];
  server = { url: `${origin}/mcp/todo`, token: String((await errandJson([...command, ...placeFlags(place)])).token) };
}, TIMEOUT_MS);
afterAll(() => opened.disposeAsync());

/** Makes a Codex agent with more lines in its configuration. */
const codexWith = (lines: readonly string[]): Agent => ({
  ...codex,
  launch: (setting) => {
    const launch = codex.launch(setting);
    return { ...launch, files: { ...launch.files, [CONFIG]: [launch.files[CONFIG], ...lines, ''].join('\n') } };
  },
});

/** Lets Codex add and delete a task. Returns how many tasks are left, and what its model read. */
async function addAndDelete(title: string, lines: readonly string[]) {
  await using home = await temporaryFolder();
  await using model = await startModel(
    createPlay([
      { tool: 'add_task', arguments: { user_id: 'me', title } },
      { tool: 'delete_task', arguments: { user_id: 'me', task_id: '$TASK_ID' } },
    ]),
  );
  await runAgent(codexWith(lines), { home: home.path, model: model.origin, server });
  const said = await sendJson(origin, '/api/v1/tools/todo_list_tasks', server.token, { user_id: 'me' });
  const { tasks } = JSON.parse(said.text) as { tasks: readonly { title: string }[] };
  return { left: tasks.filter((task) => task.title === title).length, story: model.story.join('\n') };
}

describe(`${codex.title} ${codex.version} without a person`, () => {
  it(
    'refuses a tool that deletes, unless its configuration allows that tool by name',
    async () => {
      const allowed = ['[mcp_servers.errand.tools.delete_task]', 'approval_mode = "approve"'];

      const refused = await addAndDelete('Refused', []);
      const done = await addAndDelete('Allowed', allowed);

      expect(refused.left, refused.story).toBe(1);
      expect(done.left, done.story).toBe(0);
    },
    TIMEOUT_MS,
  );
});
