import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mcpPost } from '../drivers/mcp-http.ts';
import { rpc } from '../drivers/mcp-messages.ts';
import { type Launch, openPipes } from '../drivers/mcp-stdio.ts';
import { resultOf } from '../drivers/mcp-wire.ts';
import { sendJson } from '../http.ts';
import { type Folder, placeFlags, temporaryFolder } from '../program.ts';
import { openWorld, type World } from '../world.ts';
import { managerAt } from './manager-at.ts';
import type { ListedTool } from './report.ts';
import { stdioReporter } from './stdio-reporter.ts';
import { callManager, EXECUTIONS, NEW, OLD } from './ways.ts';

describe('a reporter on pipes', () => {
  let world: World;
  let token: string;
  let folder: Folder;
  beforeAll(async () => {
    world = await openWorld('sqlite');
    const user_id = await world.admin.addUser('Ada');
    ({ token } = await world.admin.createToken({ kind: 'user', user_id, scopes: ['execution:report'] }));
    folder = await temporaryFolder();
    mkdirSync(join(folder.path, '.git'));
    writeFileSync(join(folder.path, '.git/HEAD'), 'ref: refs/heads/fix/ä\n');
    mkdirSync(join(folder.path, 'src'));
  });
  afterAll(async () => {
    await folder?.[Symbol.asyncDispose]();
    await world?.[Symbol.asyncDispose]();
  });

  it('[R1.5, R2.9, R3.7] lists what the server lists, names, words and arguments alike, without a token', async () => {
    await using reporter = await stdioReporter({ revision: NEW, args: EXECUTIONS, env: {} });
    const message = rpc(NEW, 1, 'tools/list');
    const { text } = await mcpPost(world.server.origin, '/mcp/executions', token, NEW, message);

    const listed = await reporter.list();

    const { tools } = resultOf(NEW, message, text) as { readonly tools: readonly ListedTool[] };
    // A foreign Task Manager may leave fields out of its answers.
    const contract = ({ outputSchema: _, ...rest }: ListedTool) => rest;
    expect(listed).toHaveLength(4);
    for (const { name, description } of listed.filter((tool) => tool.name !== 'health_check')) {
      expect(description, name).toContain('NOVA_EXECUTION_ID');
    }
    expect(listed.map(contract)).toEqual(tools.map(contract));
  });

  const overHttp = (revision: Launch['revision']): Launch => ({
    revision,
    args: EXECUTIONS,
    env: managerAt(world.server.origin, token),
  });
  // Within a server it calls no other Task Manager, and must not use the session of the person who started the server.
  const inProcess = (revision: Launch['revision']): Launch => ({
    revision,
    args: ['--profile', 'all', ...placeFlags(world.place)],
    env: { ERRAND_TOKEN: token, TASK_MANAGER_PORT: 'not read', CLAUDE_CODE_SESSION_ID: 'inherited' },
  });

  it.each([
    ['HTTP client', OLD, overHttp, { 'x-codex-turn-metadata': { session_id: 'of Codex' } }, 'of Codex'],
    ['HTTP client', NEW, overHttp, {}, null],
    ['in-process client', OLD, inProcess, {}, null],
  ] as const)(
    'tells who reports without being told to, with the %s in %s',
    async (_, revision, launch, _meta, session_id) => {
      const { origin } = world.server;
      const { text: made } = await sendJson(origin, '/api/executions', token, {});
      const execution_id: string = JSON.parse(made).id;
      await using pipes = await openPipes({ ...launch(revision), cwd: join(folder.path, 'src') });

      const call = { name: 'create_step', arguments: { execution_id, step_name: 'Look around' }, _meta };
      const { sent, text: answer } = await pipes.ask('tools/call', call);

      expect(resultOf(revision, sent, answer)).toMatchObject({ structuredContent: { success: true } });
      const { text } = await callManager(origin, token, 'GET /api/executions/{execution_id}', { execution_id });
      expect(JSON.parse(text)).toMatchObject({
        worktree_path: folder.path,
        branch: 'fix/ä',
        client: 'errand-tests 1.0.0',
        session_id,
      });
    },
  );
});
