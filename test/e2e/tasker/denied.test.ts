import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mcpPost } from '../drivers/mcp-http.ts';
import { type Revision, rpc } from '../drivers/mcp-messages.ts';
import { sendJson } from '../http.ts';
import { GRANTABLE } from './matrix.ts';
import { newId, type PlantedAgent, plantAgent } from './site.ts';
import { countEffects, openTracker, type Tracker, trackerDigest } from './tracker.ts';
import { overHttp } from './ways.ts';

const DENIED = [
  'tasker_delete_issue',
  'tasker_archive_issue',
  'tasker_delete_comment',
  'tasker_delete_label',
  'tasker_delete_project',
  'tasker_invite_workspace_member',
  'tasker_raw_api_request',
];
const REVISIONS: readonly Revision[] = ['2025-06-18', '2025-11-25', '2026-07-28'];

/** Fields that no call of an agent may set, by tool. */
const FORBIDDEN: readonly [tool: string, field: string, value: unknown][] = [
  ...['project_id', 'state_id', 'archived_at', 'is_archived', 'deleted_at', 'label_ids', 'assignee_ids', 'version'].map(
    (field): [string, string, unknown] => ['tasker_update_issue', field, newId()],
  ),
  ...['id', 'workspace_id', 'created_by', 'owner_id', 'version', 'sort_order', 'archived_at', 'comment_html'].map(
    (field): [string, string, unknown] => ['tasker_create_issue', field, newId()],
  ),
  ['tasker_move_issue', 'project_id', newId()],
  ['tasker_append_comment', 'author', 'someone else'],
];

describe('what an agent with every scope cannot do', () => {
  let tracker: Tracker;
  let agent: PlantedAgent;
  let before: readonly unknown[];
  const state = async () => [await trackerDigest(tracker.database), await countEffects(tracker.database)];
  beforeAll(async () => {
    tracker = await openTracker('sqlite');
    const { store, home } = tracker;
    agent = await plantAgent(store, home, [home.project_id], GRANTABLE, { can_complete: true, can_cancel: true });
    before = await state();
  });
  afterAll(async () => {
    await tracker?.[Symbol.asyncDispose]();
  });

  it.each(DENIED)('[TSK-22, TSK-44] is %s: there is no such tool on any way in', async (tool) => {
    const { origin } = tracker.server;
    const args = { issue_id: tracker.home.issue_id, idempotency_key: newId() };

    const answers = await Promise.all(
      REVISIONS.flatMap((revision) =>
        ['/mcp', '/mcp/tasker'].map((path) =>
          mcpPost(origin, path, agent.token, revision, rpc(revision, 1, 'tools/call', { name: tool, arguments: args })),
        ),
      ),
    );
    const rest = await sendJson(origin, `/api/v1/tools/${tool}`, agent.token, args);

    for (const { text } of answers) expect(JSON.parse(text)).toMatchObject({ error: { code: -32602 } });
    expect(rest.status).toBe(404);
    expect(JSON.parse(rest.text)).toMatchObject({ error: { code: 'unknown_tool' } });
    expect(await state()).toEqual(before);
  });

  it.each(FORBIDDEN)('[TSK-15, TSK-21, TSK-22] is %s with %s', async (tool, field, value) => {
    const { home, server } = tracker;
    const client = await overHttp('2025-06-18', server.origin, '/mcp').connect(agent.token);
    const target = tool === 'tasker_create_issue' ? { project_id: home.project_id } : { issue_id: home.issue_id };
    const words = {
      ...(/create|update/.test(tool) && { name: 'card' }),
      ...(tool === 'tasker_move_issue' && { state_id: home.states.started }),
      ...(tool === 'tasker_append_comment' && { comment_html: '<p>Hi</p>' }),
    };

    const answer = await client.call(tool, { ...target, ...words, [field]: value, idempotency_key: newId() });

    expect(answer).toMatchObject({ ok: false, error: { code: 'validation_error' } });
    expect(JSON.stringify(answer)).toContain(field);
    expect(await state()).toEqual(before);
  });
});
