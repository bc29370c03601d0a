import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Arguments } from '../client.ts';
import { sendJson } from '../http.ts';
import { openWorld, type World } from '../world.ts';
import type { Report, Reporter, ReportTool } from './report.ts';
import { callManager, STORED, STORED_ONCE, type Way } from './ways.ts';

const SCOPES = ['execution:report'];

/** Returns all calls that can be made for a run and a step. */
const reportsOn = (execution_id: string, step_id: string): readonly [ReportTool, Arguments][] => [
  ['update_execution_session', { execution_id, session_id: 'mine now' }],
  ['create_step', { execution_id, step_name: 'Not mine' }],
  ['update_step', { execution_id, step_id, status: 'failed' }],
];

const READS = ['', '/steps', '/feed'];

describe.each([
  { backend: 'sqlite', ways: STORED },
  { backend: 'postgres', ways: STORED_ONCE },
] as const)('a run on $backend', ({ backend, ways }) => {
  let world: World;
  let origin: string;
  let ada: string;
  let bob: string;
  let execution_id: string;
  let step_id: string;

  const tokenOf = async (scopes: readonly string[]) => {
    const user_id = await world.admin.addUser('Somebody');
    return world.admin.createToken({ kind: 'user', user_id, scopes });
  };
  const made = async (path: string, body: object): Promise<string> => {
    const { status, text } = await sendJson(origin, path, ada, body);
    expect(status, text).toBe(201);
    return JSON.parse(text).id;
  };

  beforeAll(async () => {
    world = await openWorld(backend);
    origin = world.server.origin;
    [ada, bob] = [(await tokenOf(SCOPES)).token, (await tokenOf(SCOPES)).token];
    execution_id = await made('/api/executions', { name: 'Ada only' });
    step_id = await made(`/api/executions/${execution_id}/steps`, { step_name: 'Mine' });
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  it('is neither read nor listed by another user', async () => {
    const read = async (token: string, id: string, path: string) => {
      const { status, text } = await callManager(origin, token, `GET /api/executions/{id}${path}`, { id });
      return { status, text: text.replaceAll(id, 'ID') };
    };
    const unknown = randomUUID();

    for (const path of READS) {
      expect(await read(ada, execution_id, path)).toMatchObject({ status: 200 });
      expect(await read(bob, execution_id, path)).toEqual(await read(bob, unknown, path));
    }
    const { text } = await callManager(origin, bob, 'GET /api/executions', {});
    expect(JSON.parse(text)).toEqual({ executions: [] });
  });

  describe.each(ways)('over $name', (way: Way) => {
    const connect = (token: string): Promise<Reporter> => way.connect({ origin, place: world.place }, token);

    const attempts = async (reporter: Reporter, run: string, step: string): Promise<readonly Report[]> => {
      const reports: Report[] = [];
      for (const [tool, args] of reportsOn(run, step)) reports.push(await reporter.call(tool, args));
      return reports;
    };

    it('[R1.3, R2.8] looks unknown to another user, and stays unchanged', async () => {
      await using stranger = await connect(bob);
      const [run, step] = [randomUUID(), randomUUID()];

      const foreign = await attempts(stranger, execution_id, step_id);
      const unknown = await attempts(stranger, run, step);

      const inWordsOf = (reports: readonly Report[]) =>
        JSON.parse(JSON.stringify(reports).replaceAll(run, execution_id).replaceAll(step, step_id));
      expect(foreign).toEqual(inWordsOf(unknown));
      for (const report of foreign) expect(report).toMatchObject({ error_code: 'not_found', status_code: 404 });
      const { text } = await callManager(origin, ada, 'GET /api/executions/{execution_id}/steps', { execution_id });
      expect(JSON.parse(text).steps).toMatchObject([{ id: step_id, step_name: 'Mine', status: 'running' }]);
    });

    it('[R1.3, R2.8] accepts nothing from a token without execution:report, and does not list its tools', async () => {
      const { token } = await tokenOf(['todo:read']);
      await using reporter = await connect(token);

      const reports = await attempts(reporter, execution_id, step_id);

      for (const report of reports) expect(report).toMatchObject({ success: false, error_code: 'insufficient_scope' });
      expect(await reporter.list()).toEqual([]);
    });

    it('[R1.3, R2.8] accepts nothing from a revoked token', async () => {
      const { token, token_id } = await tokenOf(SCOPES);
      await using reporter = await connect(token);
      expect(await reporter.call('health_check', {})).toMatchObject({ success: true });
      await world.admin.revokeToken(token_id);

      const reports = await attempts(reporter, execution_id, step_id);

      for (const report of reports) expect(report).toMatchObject({ success: false, error_code: 'unauthenticated' });
    });
  });
});
