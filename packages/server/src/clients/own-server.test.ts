import { describe, expect, it } from 'vitest';
import { ask, createServed } from '#testing/served';
import { executionBody, stepBody } from '#tools/executions/fields';
import { createHttpTaskManager } from './http-task-manager.ts';
import { failureOf } from './testing/stub-task-manager.ts';

async function aServedRun() {
  const served = await createServed();
  const { token } = await served.world.token({ scopes: ['execution:report'] });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const created = await ask(`${served.url}/api/executions`, { method: 'POST', headers, body: '{"name":"A run"}' });
  const access = { host: '127.0.0.1', port: Number(new URL(served.url).port), timeout_s: 10 };
  return {
    execution_id: String(created.json.id),
    access,
    manager: createHttpTaskManager({
      ...access,
      token: String(token),
      client_facts: { client: 'Editor 1.0', branch: 'main' },
    }),
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}

describe('the server of Errand, asked as a Task Manager', () => {
  it('[R6.1] registers a session', async () => {
    await using run = await aServedRun();

    const execution = await run.manager.patchExecution(run.execution_id, { session_id: 'mine' });

    expect(executionBody.parse(execution)).toMatchObject({ id: run.execution_id, session_id: 'mine' });
  });

  it('[R6.2, R6.3] accepts steps and their updates', async () => {
    await using run = await aServedRun();

    const created = await run.manager.createStep(run.execution_id, { step_name: 'Build' });
    const patched = await run.manager.patchStep(run.execution_id, created.step_id, { status: 'completed' });

    expect(stepBody.parse(created)).toMatchObject({ step_name: 'Build', status: 'running', seq: 1 });
    expect(stepBody.parse(patched)).toMatchObject({ step_id: created.step_id, status: 'completed' });
  });

  it('[R6.7] refuses in its own words', async () => {
    await using run = await aServedRun();

    const error = await failureOf(run.manager.patchStep(run.execution_id, 'unknown', { status: 'completed' }));

    expect(error).toMatchObject({ error_code: 'not_found', status_code: 404 });
    expect(error.message).toContain('create_step creates one');
  });

  it('[R6.7] says in whole sentences where a reporter sets its token', async () => {
    await using run = await aServedRun();
    const stranger = createHttpTaskManager({ ...run.access, token: `errand_agent_${'x'.repeat(30)}` });

    const error = await failureOf(stranger.patchExecution(run.execution_id, { session_id: 'mine' }));

    expect(error).toMatchObject({ error_code: 'unauthenticated', status_code: 401 });
    expect(error.message).toBe(
      'A valid token is needed: this one is missing, unknown, expired or revoked. Set TASK_MANAGER_TOKEN to a token with the scope execution:report: errand agent create NAME --scopes execution:report makes one.',
    );
  });

  it('[R6.4, R4.1] is healthy for every caller', async () => {
    await using run = await aServedRun();

    const health = await createHttpTaskManager({ ...run.access, token: null }).checkHealth();

    expect(health.status).toBe('healthy');
  });

  it('gets the client facts with every report', async () => {
    await using run = await aServedRun();

    const execution = await run.manager.patchExecution(run.execution_id, { session_id: 'mine' });

    expect(execution).toMatchObject({ client: 'Editor 1.0', branch: 'main' });
  });
});
