import { describe, expect, it, vi } from 'vitest';
import type { ProjectId } from '../../../packages/server/src/domain/ids.ts';
import { SCOPES, type Scope } from '../../../packages/server/src/domain/scope.ts';
import { type PlaneStandIn, startPlane } from '../../plane/stand-in.ts';
import { addLabel, addMember, addProject, addUser } from '../../plane/world.ts';
import { adminToken } from '../admin.ts';
import type { Answer, Arguments } from '../client.ts';
import { verifyChain } from '../durability/oracle.ts';
import { sendJson } from '../http.ts';
import { serve } from '../program.ts';
import { openPlace } from '../world.ts';
import { newId, plantAgent } from './site.ts';
import { forceIn, openStore } from './tracker.ts';
import { type AgentClient, overHttp, overRest } from './ways.ts';

const KEY = 'plane_api_0123456789abcdef';
const AGENT_SCOPES = (Object.keys(SCOPES) as Scope[]).filter((scope) => /^(?:workspace|project|issue):/.test(scope));

/** Opens an Errand whose cards are in a Plane with two projects. The agent is granted the first. */
async function openFront() {
  await using opened = new AsyncDisposableStack();
  const plane: PlaneStandIn = opened.use(await startPlane());
  plane.rate = { requests: 100_000, seconds: 60 };
  const [bot, ada] = [addUser(plane.world, 'errand-bot'), addUser(plane.world, 'Ada')];
  const [granted, other] = [addProject(plane.world, 'Website'), addProject(plane.world, 'Secret')];
  for (const { id } of [granted, other]) for (const user of [bot, ada]) addMember(plane.world, id, user.id);
  plane.world.keys.set(KEY, bot.id);

  const env = { PLANE_BASE_URL: plane.url, PLANE_API_KEY: KEY, PLANE_WORKSPACE_SLUG: plane.slug };
  const place = opened.use(await openPlace('sqlite'));
  const server = opened.use(await serve(place, env));
  const imported = await sendJson(server.origin, '/api/v1/tools/admin_import_projects', await adminToken(place), {});
  expect(imported.status, imported.text).toBeLessThan(300);
  const store = await openStore(place);
  opened.defer(() => store.close());
  const workspace = await store.reads.workspaces.first();
  if (workspace === null) throw new Error('The server has made no workspace.');
  const rights = { can_complete: true, can_cancel: false };
  const agent = await plantAgent(
    store,
    { workspace_id: workspace.id },
    [granted.id as ProjectId],
    AGENT_SCOPES,
    rights,
  );
  const stateOf = (group: string, project = granted.id): string =>
    plane.world.states.find((state) => state.project === project && state.group === group)?.id ?? '';
  const all = opened.move();
  return {
    ...{ plane, place, server, env, store, agent, ada, granted, other, stateOf },
    label: addLabel(plane.world, granted.id, 'bug'),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

type Front = Awaited<ReturnType<typeof openFront>>;

const write = (client: AgentClient, tool: string, args: Arguments): Promise<Answer> =>
  client.call(tool, { idempotency_key: newId(), ...args });

/** Returns the answer of a call that must succeed. */
async function done(answering: Promise<Answer>): Promise<Record<string, Record<string, unknown>>> {
  const answer = await answering;
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value as Record<string, Record<string, unknown>>;
}

const codeOf = (answer: Answer): string => (answer.ok ? 'ok' : answer.error.code);

const WAYS = [
  ['MCP 2025-06-18', ({ server }: Front) => overHttp('2025-06-18', server.origin, '/mcp')],
  ['MCP 2026-07-28', ({ server }: Front) => overHttp('2026-07-28', server.origin, '/mcp/tasker')],
  ['REST', ({ server }: Front) => overRest(server.origin)],
] as const;

// At once: each has a Plane and a server of its own, and one waits for the timeout of Plane.
describe.concurrent('the gateway in front of a Plane', () => {
  it.each(WAYS)('[TSK-03] does with its cards all that it does with its own, over %s', async (_, way) => {
    await using front = await openFront();
    const { plane, agent, granted, stateOf, label, ada } = front;
    const client = await way(front).connect(agent.token);
    const project_id = granted.id;

    const description_html = '<p>It fails <b>often</b></p><script>alert(1)</script>';
    const { issue } = await done(
      write(client, 'tasker_create_issue', { project_id, name: 'Fix login', description_html }),
    );
    const issue_id = issue?.id;
    await done(write(client, 'tasker_update_issue', { issue_id, priority: 'high', target_date: '2026-12-24' }));
    await done(write(client, 'tasker_set_issue_labels', { issue_id, label_ids: [label.id], mode: 'merge' }));
    await done(write(client, 'tasker_assign_issue', { issue_id, assignee_ids: [ada.id] }));
    const blocks = { issue_id, action: 'append_checker', title: 'Steps', items: ['Test', 'Ship'] };
    await done(write(client, 'tasker_update_structured_blocks', blocks));
    await done(write(client, 'tasker_append_comment', { issue_id, comment_html: '<p>Begun</p>' }));
    const { work_session } = await done(write(client, 'tasker_start_work_session', { issue_id }));
    const finish = { work_session_id: work_session?.id, summary: 'All <done>', validation: 'Tests pass' };
    await done(write(client, 'tasker_finish_work_session', finish));
    await done(write(client, 'tasker_move_issue', { issue_id, state_id: stateOf('completed') }));

    const include = ['description', 'blocks', 'comments'];
    const read = await done(client.call('tasker_get_issue', { issue_id, include }));
    const found = await done(client.call('tasker_search_issues', { query: 'login' }));
    const context = await done(client.call('tasker_get_project_context', { project_id }));
    expect(read.issue).toMatchObject({
      name: 'Fix login',
      priority: 'high',
      target_date: '2026-12-24',
      state: { group: 'completed' },
      labels: [{ id: label.id }],
      assignees: [{ id: ada.id }],
    });
    const text = JSON.stringify(read);
    for (const part of ['often', 'Steps', 'Ship', 'Begun', 'All &lt;done&gt;', 'Tests pass'])
      expect(text).toContain(part);
    expect(text).not.toContain('alert(1)');
    expect(found.issues).toMatchObject([{ id: issue_id }]);
    expect(context.states).toHaveLength(5);
    expect(plane.world.items).toMatchObject([{ id: issue_id, state: stateOf('completed'), labels: [label.id] }]);
    expect(plane.world.comments).toHaveLength(2);
    expect(await verifyChain(front.place.data)).toBe(true);
  });

  it('[TSK-02, TSK-16, TSK-17, TSK-24, TSK-25, TSK-30] holds calls to the same rules', async () => {
    await using front = await openFront();
    const { plane, agent, granted, other, stateOf, ada } = front;
    const client = await overRest(front.server.origin).connect(agent.token);
    const { issue } = await done(write(client, 'tasker_create_issue', { project_id: granted.id, name: 'Mine' }));
    const foreign = { ...plane.world.items[0], id: newId(), project: other.id, state: stateOf('started', other.id) };
    plane.world.items.push(foreign as (typeof plane.world.items)[number]);
    const before = JSON.stringify(plane.world);
    const issue_id = issue?.id;

    const codes = [
      await write(client, 'tasker_create_issue', { project_id: other.id, name: 'Theirs' }),
      await client.call('tasker_get_issue', { issue_id: foreign.id }),
      await client.call('tasker_get_issue', { issue_id: newId() }),
      await client.call('tasker_get_issue', { issue_id: '../../projects' }),
      await write(client, 'tasker_append_comment', { issue_id: foreign.id, comment_html: '<p>Hi</p>' }),
      await write(client, 'tasker_move_issue', { issue_id, state_id: stateOf('started', other.id) }),
      await write(client, 'tasker_move_issue', { issue_id, state_id: stateOf('cancelled') }),
      await write(client, 'tasker_add_existing_project_member', { project_id: granted.id, user_id: ada.id }),
    ].map(codeOf);

    expect(codes).toEqual([
      'project_not_granted',
      'not_found',
      'not_found',
      'not_found',
      'not_found',
      'validation_error',
      'move_not_granted',
      'membership_managed_externally',
    ]);
    expect(JSON.stringify(plane.world)).toBe(before);
  });

  it('[TSK-39, TSK-41] makes one card out of 50 calls at once with one key', async () => {
    await using front = await openFront();
    const { plane, agent, granted, server } = front;
    const ways = [overRest(server.origin), overHttp('2026-07-28', server.origin, '/mcp')];
    const clients = await Promise.all(ways.map((way) => way.connect(agent.token)));
    const names = Array.from({ length: 10 }, (_, at) => `card ${at}`);

    const answers = await Promise.all(
      names.flatMap((name) =>
        Array.from({ length: 50 }, (_, at) =>
          clients[at % 2]?.call('tasker_create_issue', { project_id: granted.id, name, idempotency_key: name }),
        ),
      ),
    );

    const codes = new Set(answers.map((answer) => (answer === undefined ? '' : codeOf(answer))));
    expect([...codes].filter((code) => code !== 'ok' && code !== 'idempotency_key_in_progress')).toEqual([]);
    expect(codes.has('ok')).toBe(true);
    expect(plane.world.items.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  });

  it('[TSK-41, TSK-42] is in progress while Plane hangs, and releases the key when that has failed', async () => {
    await using front = await openFront();
    const { plane, agent, granted } = front;
    const client = await overRest(front.server.origin).connect(agent.token);
    const create = (name = 'Slow') =>
      client.call('tasker_create_issue', { project_id: granted.id, name, idempotency_key: 'slow' });
    plane.plan('POST', /work-items/, { kind: 'hangs' });

    const first = create();
    await vi.waitUntil(() => plane.requests.some((request) => request.startsWith('POST')));
    const during = [await create(), await create('Another')].map(codeOf);
    const failed = await first;
    const retried = await create();

    expect(during).toEqual(['idempotency_key_in_progress', 'idempotency_key_conflict']);
    expect(failed).toMatchObject({ ok: false, error: { code: 'tracker_unavailable', retryable: true } });
    expect(retried).toMatchObject({ ok: true });
    expect(plane.world.items).toHaveLength(1);
  });

  it.each(['lost', 'refused'] as const)(
    '[TSK-42] makes one card and one comment when an answer is %s',
    async (kind) => {
      await using front = await openFront();
      const { plane, agent, granted } = front;
      const client = await overHttp('2025-11-25', front.server.origin, '/mcp/tasker').connect(agent.token);
      const untilDone = async (tool: string, args: Arguments): Promise<Answer> => {
        const idempotency_key = newId();
        for (let attempt = 0; attempt < 5; attempt++) {
          const answer = await client.call(tool, { ...args, idempotency_key });
          if (answer.ok || !answer.error.retryable) return answer;
        }
        throw new Error(`${tool} never answers.`);
      };

      plane.plan('POST', /work-items\/$/, { kind });
      const { issue } = await done(untilDone('tasker_create_issue', { project_id: granted.id, name: 'Once' }));
      plane.plan('POST', /comments/, { kind });
      await done(untilDone('tasker_append_comment', { issue_id: issue?.id, comment_html: '<p>Once</p>' }));

      expect(plane.world.items).toHaveLength(1);
      expect(plane.world.comments).toHaveLength(1);
    },
  );

  it('[TSK-39, TSK-41] makes one card when it is killed between Plane’s commit and its own', async () => {
    await using front = await openFront();
    const { plane, agent, granted, place, env, server } = front;
    const args = { project_id: granted.id, name: 'Survivor', idempotency_key: 'killed' };
    // Errand creates the card and then reads it. The read hangs.
    const reading = /work-items\/[0-9a-f-]{36}\//;
    plane.plan('GET', reading, { kind: 'hangs' });
    const asked = overRest(server.origin)
      .connect(agent.token)
      .then((client) => client.call('tasker_create_issue', args))
      .catch(() => null);
    await vi.waitUntil(() => plane.requests.some((request) => reading.test(request)));
    await server.stop('SIGKILL');
    await asked;

    await using again = await serve(place, env);
    const client = await overRest(again.origin).connect(agent.token);
    const during = await client.call('tasker_create_issue', args);
    // A process that has not answered after two minutes counts as dead.
    await forceIn(place, 'update answers set expires_at = 1 where key = ?', 'killed');
    const after = await client.call('tasker_create_issue', args);

    expect(codeOf(during)).toBe('idempotency_key_in_progress');
    expect(after).toMatchObject({ ok: true, value: { issue: { id: plane.world.items[0]?.id } } });
    expect(plane.world.items).toHaveLength(1);
  });
});
