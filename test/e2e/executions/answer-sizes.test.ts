import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Arguments } from '../client.ts';
import { sendJson } from '../http.ts';
import { MAX_CHARACTERS } from '../tasker/walk.ts';
import { openWorld, type World } from '../world.ts';
import type { Report, Reporter, ReportTool } from './report.ts';
import { STORED_ONCE } from './ways.ts';

const [WAY] = STORED_ONCE;

/** The size of one half of an answer. The reporter has checked that both halves are the same JSON. */
const sizeOf = (report: Report): number => JSON.stringify(report).length;

describe('answers to the longest reports', () => {
  let world: World;
  let reporter: Reporter;
  let execution_id: string;
  beforeAll(async () => {
    world = await openWorld('sqlite');
    const { origin } = world.server;
    const user_id = await world.admin.addUser('Ada');
    const { token } = await world.admin.createToken({ kind: 'user', user_id, scopes: ['execution:report'] });
    const { text } = await sendJson(origin, '/api/executions', token, { name: '"'.repeat(200) });
    execution_id = JSON.parse(text).id;
    const long = { worktree_path: '🦊'.repeat(4_000), summary: '"'.repeat(4_000), reason: '🦊'.repeat(500) };
    await sendJson(origin, `/api/executions/${execution_id}`, token, long, 'PATCH');
    if (WAY === undefined) throw new Error('There is no way in.');
    reporter = await WAY.connect({ origin, place: world.place }, token);
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  it.each(['x', '漢', 'é', '🦊', '"'])(`are at most ${MAX_CHARACTERS} characters when made of %s`, async (c) => {
    const call = (tool: ReportTool, args: Arguments) => reporter.call(tool, { execution_id, ...args });
    const [step_name, message] = [c.repeat(200), c.repeat(2_000)];

    const created = await call('create_step', { step_name, message });
    const updated = await call('update_step', { step_id: created.data?.step_id, message });
    const session = await call('update_execution_session', { session_id: c.repeat(200) });

    for (const report of [created, updated, session]) {
      expect(report.success, report.error).toBe(true);
      expect(sizeOf(report)).toBeLessThanOrEqual(MAX_CHARACTERS);
    }
  });

  it.each(['x', '🦊', '"', '\u202e'])(`are at most ${MAX_CHARACTERS} when %j is refused`, async (c) => {
    const long = c.repeat(20_000);
    const tools: readonly ReportTool[] = ['update_execution_session', 'create_step', 'update_step', 'health_check'];
    const everywhere = { execution_id: long, step_id: long, session_id: long, step_name: long, message: long };

    for (const tool of tools) {
      for (const args of [{ status: long }, everywhere, { [long]: long }, { [long.slice(0, 99)]: 1 }]) {
        const report = await reporter.call(tool, args);

        expect(report.success).toBe(false);
        expect(sizeOf(report)).toBeLessThanOrEqual(MAX_CHARACTERS);
      }
    }
  });
});
