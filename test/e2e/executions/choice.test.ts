import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aStub, saysJson } from '../../../packages/server/src/clients/testing/stub-task-manager.ts';
import { errand, temporaryFolder } from '../program.ts';
import { CLOSED_PORT, managerAt } from './manager-at.ts';
import { stdioReporter } from './stdio-reporter.ts';
import { EXECUTIONS, NEW, OLD } from './ways.ts';

const STEP = { execution_id: 'run-1', step_name: 'Look around' };

/** Reports with an empty home folder. Returns the reports and the files that are there afterwards. */
async function reportAlone(env: Readonly<Record<string, string>>) {
  await using home = await temporaryFolder();
  const data = join(home.path, 'data');
  await using reporter = await stdioReporter({
    revision: NEW,
    args: EXECUTIONS,
    env: { HOME: home.path, ERRAND_DATA: data, ...env },
    cwd: home.path,
  });
  const step = await reporter.call('create_step', STEP);
  const health = await reporter.call('health_check', {});
  return { step, health, left: readdirSync(home.path) };
}

describe('the client of the reporter', () => {
  it('[R5.1, R5.2] is the mock with USE_MOCK_CLIENT=true, which sends nothing', async () => {
    await using stub = await aStub(saysJson(200, { id: 'step-1' }));

    const alone = await reportAlone({ ...managerAt(stub.base_url, 'x'), USE_MOCK_CLIENT: 'true' });

    expect(alone.step).toMatchObject({ success: true, data: { step_name: 'Look around', status: 'running' } });
    expect(alone.health).toMatchObject({ success: true, data: { client: 'mock' } });
    expect({ left: alone.left, heard: stub.heard }).toEqual({ left: [], heard: [] });
  });

  it.each([
    [{}, undefined],
    [{ USE_MOCK_CLIENT: 'false', TASK_MANAGER_TOKEN: 'x' }, 'Bearer x'],
  ])(
    '[R5.1, R5.3, R5.4] is the HTTP client with %j, at the host and port that are set, and stores nothing on this machine',
    async (more, authorization) => {
      await using stub = await aStub(saysJson(200, { id: 'step-1' }));
      const { TASK_MANAGER_TOKEN: _, ...address } = managerAt(stub.base_url, '');

      const alone = await reportAlone({ ...address, ...more });

      const config = { host: '127.0.0.1', port: stub.port, base_url: stub.base_url };
      expect(alone.step).toMatchObject({ success: true, data: { step_id: 'step-1' } });
      expect(alone.health).toMatchObject({ success: true, data: { client: 'http', config } });
      expect(alone.left).toEqual([]);
      expect(stub.heard.map(({ headers }) => headers.authorization)).toEqual([authorization, authorization]);
    },
  );

  it('[R6.6, R4.3] reports that nothing listens at the address, and continues', async () => {
    const origin = `http://127.0.0.1:${CLOSED_PORT}`;
    await using reporter = await stdioReporter({ revision: OLD, args: EXECUTIONS, env: managerAt(origin, 'x') });

    const health = await reporter.call('health_check', {});
    const step = await reporter.call('create_step', STEP);

    const failure = { success: false, error: `Connection failed to ${origin}`, error_code: 'connection_failed' };
    expect([health, step]).toEqual([failure, failure]);
  });

  it('lets the process end while a report is in flight', async () => {
    await using stub = await aStub(() => {});
    const env = managerAt(stub.base_url, 'x', '600');
    const reporter = await stdioReporter({ revision: NEW, args: EXECUTIONS, env });

    const report = reporter.call('health_check', {}).catch((error: Error) => error.message);
    await expect.poll(() => stub.heard.length).toBe(1);
    await reporter[Symbol.asyncDispose]();

    expect(await report).toMatch(/^errand mcp ended with 0/);
  });

  it('[R5.4] is refused in one line when its port is invalid', async () => {
    const { code, stdout, stderr } = await errand(['mcp', ...EXECUTIONS], { TASK_MANAGER_PORT: '0' });

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^errand: TASK_MANAGER_PORT: got "0", takes a whole number from 1 to 65535[^\n]*\n$/);
  });
});
