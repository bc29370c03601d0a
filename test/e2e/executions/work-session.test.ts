import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Arguments } from '../client.ts';
import { sendJson } from '../http.ts';
import { newId, plantAgent } from '../tasker/site.ts';
import { openTracker, type Tracker } from '../tasker/tracker.ts';
import type { Fields } from './report.ts';
import { taken } from './scenario.ts';
import { callManager, STORED, STORED_ONCE } from './ways.ts';

const SCOPES = ['issue:read', 'issue:comment', 'issue:structured_blocks:write', 'execution:report'] as const;
const STEPS = 'GET /api/executions/{execution_id}/steps';
const RUN = 'GET /api/executions/{execution_id}';

async function openAgent(tracker: Tracker) {
  const { server, store, home } = tracker;
  const { token, agent_id } = await plantAgent(store, home, [home.project_id], SCOPES);
  const tool = async (name: string, args: Arguments): Promise<Fields> => {
    const { status, text } = await sendJson(server.origin, `/api/v1/tools/${name}`, token, {
      ...args,
      idempotency_key: newId(),
    });
    expect(status, text).toBeLessThan(300);
    return JSON.parse(text);
  };
  const read = async (route: string, execution_id: string, as = token): Promise<Fields> =>
    JSON.parse((await callManager(server.origin, as, route, { execution_id })).text);
  return { token, agent_id, tool, read };
}

const idOf = ({ work_session }: Fields): string => (work_session as { readonly id: string }).id;

describe.each([
  { backend: 'sqlite', ways: STORED },
  { backend: 'postgres', ways: STORED_ONCE },
] as const)('a work session on $backend', ({ backend, ways }) => {
  let tracker: Tracker;
  beforeAll(async () => {
    tracker = await openTracker(backend);
  });
  afterAll(async () => {
    await tracker?.[Symbol.asyncDispose]();
  });

  it('[R1.1, R2.1, R3.1] can be reported on over every transport', async () => {
    const { server, place, home } = tracker;
    const { token, agent_id, tool, read } = await openAgent(tracker);
    const execution_id = idOf(await tool('tasker_start_work_session', { issue_id: home.issue_id }));

    for (const { name, connect } of ways) {
      await using reporter = await connect({ origin: server.origin, place }, token);
      await taken(reporter.call('update_execution_session', { execution_id, session_id: name }));
      const { step_id } = await taken(reporter.call('create_step', { execution_id, step_name: name }));
      await taken(reporter.call('update_step', { execution_id, step_id, status: 'completed' }));
    }

    const { steps } = await read(STEPS, execution_id);
    expect(steps).toMatchObject(ways.map(({ name }, at) => ({ step_name: name, seq: at + 1, status: 'completed' })));
    const { issue_id: work_item_id, project_id } = home;
    expect(await read(RUN, execution_id)).toMatchObject({
      session_id: ways.at(-1)?.name,
      status: 'running',
      work_item_id,
      project_id,
      agent_id,
    });
  });

  it('[R2.8] ends its open steps when it is finished, and accepts no more', async () => {
    const { server, home } = tracker;
    const { token, tool, read } = await openAgent(tracker);
    const execution_id = idOf(await tool('tasker_start_work_session', { issue_id: home.issue_id }));
    for (const step of [{ step_name: 'Open' }, { step_name: 'Failed', status: 'failed' }]) {
      await tool('create_step', { execution_id, ...step });
    }

    await tool('tasker_finish_work_session', { work_session_id: execution_id, summary: 'Done.' });

    const { steps } = await read(STEPS, execution_id);
    expect(steps).toMatchObject([
      { step_name: 'Open', status: 'completed', ended_at: expect.any(String) },
      { step_name: 'Failed', status: 'failed' },
    ]);
    expect(await read(RUN, execution_id)).toMatchObject({ status: 'completed', summary: 'Done.' });
    const late = await sendJson(server.origin, '/api/v1/tools/create_step', token, { execution_id, step_name: 'Late' });
    expect(JSON.parse(late.text)).toMatchObject({ success: false, error_code: 'conflict', status_code: 409 });
  });

  it('[R1.3, R2.8] is not reported on by another agent of the same project', async () => {
    const owner = await openAgent(tracker);
    const other = await openAgent(tracker);
    const session = await owner.tool('tasker_start_work_session', { issue_id: tracker.home.issue_id });
    const execution_id = idOf(session);

    const step = { execution_id, step_name: 'Not mine' };
    const { text } = await sendJson(tracker.server.origin, '/api/v1/tools/create_step', other.token, step);

    expect(JSON.parse(text)).toMatchObject({ success: false, error_code: 'not_found', status_code: 404 });
    expect(await owner.read(STEPS, execution_id)).toEqual({ steps: [] });
    expect(await other.read(RUN, execution_id)).toMatchObject({ id: execution_id, status: 'running' });
  });
});
