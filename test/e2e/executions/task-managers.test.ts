import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  aStub,
  type ReceivedRequest,
  saysJson,
} from '../../../packages/server/src/clients/testing/stub-task-manager.ts';
import type { Arguments } from '../client.ts';
import { BREAKS, FAILURES, type Fault, GARBAGE, SILENCES } from './faults.ts';
import { managerAt } from './manager-at.ts';
import type { Reporter, ReportTool } from './report.ts';
import { stdioReporter } from './stdio-reporter.ts';
import { EXECUTIONS, NEW } from './ways.ts';

const TOKEN = 'secret-of-the-agent';

const CALLS: readonly [tool: ReportTool, args: Arguments][] = [
  ['update_execution_session', { execution_id: 'run-1', session_id: 'ses_1' }],
  ['create_step', { execution_id: 'run-1', step_name: 'Look around' }],
  ['update_step', { execution_id: 'run-1', step_id: 'step-1', status: 'completed' }],
  ['health_check', {}],
];

/** The smallest valid answer of a Task Manager: the id of the requested step. */
const fine: Answer = (socket, heard) => {
  const [, asked = 'step-1'] = /\/steps\/(\S+)/.exec(heard.line) ?? [];
  saysJson(200, { step_id: decodeURIComponent(asked) })(socket, heard);
};

const requestOf = ({ line, headers, body }: ReceivedRequest) => ({
  line: line.replace(' HTTP/1.1', ''),
  authorization: headers.authorization,
  body: body === '' ? null : JSON.parse(body),
});

describe('the reporter with another Task Manager', () => {
  let stub: Awaited<ReturnType<typeof aStub>>;
  let answer: Answer;
  let reporter: Reporter;
  /** A reporter with a timeout of half a second. The other one waits longer than any answer takes here. */
  let hasty: Reporter;
  beforeAll(async () => {
    stub = await aStub((socket, heard) => answer(socket, heard));
    const open = (seconds: string) =>
      stdioReporter({ revision: NEW, args: EXECUTIONS, env: managerAt(stub.base_url, TOKEN, seconds) });
    [reporter, hasty] = await Promise.all([open('60'), open('0.5')]);
  });
  beforeEach(() => {
    answer = fine;
    stub.heard.length = 0;
  });
  afterAll(async () => {
    await reporter?.[Symbol.asyncDispose]();
    await hasty?.[Symbol.asyncDispose]();
    await stub?.[Symbol.asyncDispose]();
  });

  const heardOf = async (tool: ReportTool, args: Arguments) => {
    const report = await reporter.call(tool, args);
    expect(report.success, report.error).toBe(true);
    return stub.heard.splice(0).map(requestOf);
  };
  const authorization = `Bearer ${TOKEN}`;

  it('[R6.1, R1.1] registers a session with PATCH /api/executions/{execution-id}', async () => {
    const heard = await heardOf('update_execution_session', { execution_id: 'run-1', session_id: 'ses_1' });

    expect(heard).toEqual([{ line: 'PATCH /api/executions/run-1', authorization, body: { session_id: 'ses_1' } }]);
  });

  it('[R6.2, R2.3, R2.4] creates a step with POST /api/executions/{execution-id}/steps', async () => {
    const step = { step_name: 'Look around', message: 'Slowly', status: 'skipped' };

    const heard = await heardOf('create_step', { execution_id: 'run-1', ...step });

    expect(heard).toEqual([{ line: 'POST /api/executions/run-1/steps', authorization, body: step }]);
  });

  it('[R6.2, R2.5] sends the status running for a new step', async () => {
    const [heard] = await heardOf('create_step', { execution_id: 'run-1', step_name: 'Look around' });

    expect(heard).toMatchObject({
      line: 'POST /api/executions/run-1/steps',
      body: { step_name: 'Look around', status: 'running' },
    });
  });

  it('[R6.3, R3.1, R3.5] updates a step with PATCH /api/executions/{execution-id}/steps/{step-id}', async () => {
    const change = { status: 'failed', message: 'No disk' };

    const heard = await heardOf('update_step', { execution_id: 'run-1', step_id: 'step-1', ...change });

    expect(heard).toEqual([{ line: 'PATCH /api/executions/run-1/steps/step-1', authorization, body: change }]);
  });

  it('[R6.4, R4.1] asks for the health with GET /api/health', async () => {
    const heard = await heardOf('health_check', {});

    expect(heard).toEqual([{ line: 'GET /api/health', authorization, body: null }]);
  });

  it('[R6.1, R6.3] encodes an id as one segment of the URL', async () => {
    for (const id of ['a/b', '../x', 'a?b', 'a#b', '%2e%2e', 'a\nb', 'ÿ☃', ' ']) {
      const segment = encodeURIComponent(id);

      const session = await heardOf('update_execution_session', { execution_id: id, session_id: 'x' });
      const step = await heardOf('update_step', { execution_id: id, step_id: id, status: 'failed' });

      expect([...session, ...step].map(({ line }) => line)).toEqual([
        `PATCH /api/executions/${segment}`,
        `PATCH /api/executions/${segment}/steps/${segment}`,
      ]);
    }
  });

  it('[R1.3] sends nothing for an id that no URL can contain', async () => {
    for (const id of ['.', '..']) {
      const report = await reporter.call('update_execution_session', { execution_id: id, session_id: 'x' });

      expect(report).toMatchObject({ success: false, error_code: 'validation_error' });
    }
    expect(stub.heard).toEqual([]);
  });

  const meets = async (agent: Reporter, fault: Fault): Promise<void> => {
    answer = fault.answer;
    const reports = await Promise.all(CALLS.map(([tool, args]) => agent.call(tool, args)));
    for (const report of reports) {
      expect(report).toMatchObject({ success: false, ...fault.expected(stub.base_url) });
      expect(JSON.stringify(report)).not.toMatch(/secret|<html|Traceback|at \//);
    }

    // No retries and no redirects: a repeated step could exist twice, and a token sent elsewhere would leak.
    expect(stub.heard).toHaveLength(CALLS.length);
    answer = fine;
    await expect
      .poll(() => agent.call('health_check', {}))
      .toMatchObject({ success: true, data: { status: 'healthy' } });
  };

  it.each(SILENCES)('[R6.5, R4.3, R1.3, R2.8] reports that it $name, and goes on', (fault) => meets(hasty, fault));
  it.each(BREAKS)('[R6.6, R4.3, R1.3, R2.8] reports that it $name, and goes on', (fault) => meets(reporter, fault));
  it.each(GARBAGE)('[R6.7, R4.3, R1.3, R2.8] reports that it $name, and goes on', (fault) => meets(reporter, fault));
  it.each(FAILURES)('[R6.7, R4.3, R1.3, R2.8] passes it on when it $name, goes on', (fault) => meets(reporter, fault));
});
