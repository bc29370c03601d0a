import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../../../packages/server/src/domain/scope.ts';
import type { Answer } from '../client.ts';
import { newId, type PlantedAgent, plantAgent, type Site } from './site.ts';
import { openTracker, type Tracker } from './tracker.ts';
import { type AgentClient, overHttp } from './ways.ts';

const codeOf = (answer: Answer): string => (answer.ok ? 'ok' : answer.error.code);

describe.each(['sqlite', 'postgres'] as const)('grants that differ from project to project on %s', (backend) => {
  const READ: readonly Scope[] = ['project:read', 'issue:read'];
  const ALL: readonly Scope[] = [...READ, 'issue:move', 'issue:comment', 'issue:create'];
  let tracker: Tracker;
  let agent: PlantedAgent;
  let client: AgentClient;
  /** The agent may write and complete in `home`. In `side` it may only read, though complete and cancel are granted. */
  beforeAll(async () => {
    tracker = await openTracker(backend);
    const { store, home, side, server } = tracker;
    agent = await plantAgent(store, home, [], ALL);
    const { agent_id } = agent;
    await store.transaction(async (tx) => {
      const { project_id } = home;
      await tx.agents.putGrant({ agent_id, project_id, scopes: ALL, can_complete: true, can_cancel: false });
      const there = { project_id: side.project_id, can_complete: true, can_cancel: true };
      await tx.agents.putGrant({ agent_id, ...there, scopes: READ });
    });
    client = await overHttp('2025-06-18', server.origin, '/mcp').connect(agent.token);
  });
  afterAll(async () => {
    await tracker?.[Symbol.asyncDispose]();
  });

  const move = ({ issue_id }: Site, state_id: string): Promise<Answer> =>
    client.call('tasker_move_issue', { issue_id, state_id, idempotency_key: newId() });

  it('[TSK-02] list tools that are allowed in any project, and allow them only there', async () => {
    const { home, side } = tracker;
    const create = ({ project_id }: Site) =>
      client.call('tasker_create_issue', { project_id, name: 'card', idempotency_key: newId() });
    const comment = ({ issue_id }: Site) =>
      client.call('tasker_append_comment', { issue_id, comment_html: '<p>Hi</p>', idempotency_key: newId() });

    const listed = await client.list();
    const answers = [await create(home), await create(side), await comment(home), await comment(side)];

    expect(listed).toMatchObject({ ok: true, tools: expect.arrayContaining(['tasker_create_issue']) });
    expect(answers.map(codeOf)).toEqual(['ok', 'insufficient_scope', 'ok', 'not_found']);
  });

  it('[TSK-25] let work be completed or cancelled only where they say so', async () => {
    const { home, side } = tracker;

    const codes = [
      await move(home, home.states.cancelled),
      await move(home, home.states.completed),
      await move(side, side.states.completed),
      await move(home, side.states.started),
    ].map(codeOf);

    expect(codes).toEqual(['move_not_granted', 'ok', 'not_found', 'validation_error']);
  });

  it('[TSK-15, TSK-25] refuse a card in a state that it could not be moved to', async () => {
    const { project_id, states } = tracker.home;
    const create = (state_id: string) =>
      client.call('tasker_create_issue', { project_id, name: 'card', state_id, idempotency_key: newId() });

    const codes = [await create(states.cancelled), await create(states.started)].map(codeOf);

    expect(codes).toEqual(['move_not_granted', 'ok']);
  });

  it('[TSK-11, TSK-13] are all that lists and searches show', async () => {
    const { home, side } = tracker;

    const listed = await client.call('tasker_list_projects', {});
    const found = await client.call('tasker_search_issues', { query: 'card', limit: 100 });

    const projects = listed.ok ? (listed.value.projects as readonly { readonly id: string }[]) : [];
    expect(projects.map(({ id }) => id).toSorted()).toEqual([home.project_id, side.project_id].toSorted());
    const issues = found.ok ? (found.value.issues as readonly { readonly project_id: string }[]) : [];
    expect([...new Set(issues.map(({ project_id }) => project_id))].toSorted()).toEqual(
      [home.project_id, side.project_id].toSorted(),
    );
  });

  it('[TSK-13] narrow a search when one of them loses the scope', async () => {
    const { store, home, side } = tracker;
    await store.transaction(async (tx) => {
      const there = { project_id: side.project_id, can_complete: false, can_cancel: false };
      await tx.agents.putGrant({ agent_id: agent.agent_id, ...there, scopes: ['project:read'] });
    });

    const found = await client.call('tasker_search_issues', { query: 'card', limit: 100 });
    const named = await client.call('tasker_search_issues', { query: 'card', project_id: side.project_id });
    const read = await client.call('tasker_get_issue', { issue_id: side.issue_id });

    const issues = found.ok ? (found.value.issues as readonly { readonly project_id: string }[]) : [];
    expect(new Set(issues.map(({ project_id }) => project_id))).toEqual(new Set([home.project_id]));
    expect([named, read].map(codeOf)).toEqual(['insufficient_scope', 'not_found']);
  });
});
