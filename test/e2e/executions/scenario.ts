import { expect } from 'vitest';
import type { RequirementId } from '../../requirements.ts';
import { sendJson } from '../http.ts';
import { type Fields, type Report, type Reporter, TOOLS } from './report.ts';
import { type Carrier, callManager } from './ways.ts';

export interface Stage {
  readonly carrier: Carrier;
  /** Where the Task Manager is. */
  readonly origin: string;
  /** Over the way in that is tested. */
  readonly call: Reporter['call'];
  readonly list: Reporter['list'];
  /** A run of this scenario alone. */
  readonly execution_id: string;
  /** Changes the run as its owner does, over the Task Manager API. */
  readonly patchRun: (change: Fields) => Promise<void>;
  /** What is kept of the run. */
  readonly runIs: (expected: Fields) => Promise<void>;
  /** What is kept of its steps, the first one first. */
  readonly stepsAre: (expected: readonly StepRow[]) => Promise<void>;
}

interface StepRow {
  readonly step_name: string;
  readonly status: string;
  readonly message: string | null;
}

export interface Scenario {
  readonly cites: readonly RequirementId[];
  readonly title: string;
  /** Where it cannot be told, with the reason. */
  readonly not_over?: Partial<Record<Carrier, string>>;
  readonly play: (stage: Stage) => Promise<void>;
}

/** The data of a report that was taken. */
export async function taken(report: Promise<Report>): Promise<Fields> {
  const { success, data, error } = await report;
  expect(success, error).toBe(true);
  return data ?? {};
}

/** The refusal of a report. */
export async function refused(report: Promise<Report>): Promise<Report> {
  const answer = await report;
  expect(answer.success, JSON.stringify(answer.data)).toBe(false);
  return answer;
}

const ROWS = 'GET /api/executions/{execution_id}/steps';
const RUN = 'GET /api/executions/{execution_id}';

interface Kept extends Pick<Stage, 'runIs' | 'stepsAre'> {}

/** Looks at the Task Manager itself, past the way in that is tested. */
const keptByServer = (origin: string, token: string, execution_id: string): Kept => {
  const read = async (route: string): Promise<Fields> => {
    const { status, text } = await callManager(origin, token, route, { execution_id });
    expect(status, text).toBe(200);
    return JSON.parse(text);
  };
  return {
    runIs: async (expected) => expect(await read(RUN)).toMatchObject(expected),
    stepsAre: async (expected) => {
      const { steps } = await read(ROWS);
      expect(steps).toMatchObject(expected.map((row, at) => ({ ...row, execution_id, seq: at + 1 })));
    },
  };
};

/** A text as an answer shows it: one that would make the answer too long is cut, with a mark. */
const shownAs = (text: string | null) =>
  expect.toSatisfy(
    (shown: string | null) =>
      shown === text || (shown?.endsWith('…') === true && text?.startsWith(shown.slice(0, -1)) === true),
  );

/** The mock shows what it keeps in its answers only: each step is asked for by setting the status that it should have. */
const keptByMock = (call: Reporter['call'], execution_id: string, made: readonly string[]): Kept => ({
  runIs: async () => {},
  stepsAre: async (expected) => {
    expect(made).toHaveLength(expected.length);
    for (const [at, row] of expected.entries()) {
      const data = await taken(call('update_step', { execution_id, step_id: made[at], status: row.status }));
      expect(data).toMatchObject({ ...row, message: shownAs(row.message), execution_id, seq: at + 1 });
    }
  },
});

interface Site {
  readonly origin: string;
  /** Of the agent that reports. */
  readonly token: string;
}

/** A run for one scenario, and a look at what became of it. */
export async function openStage({ origin, token }: Site, carrier: Carrier, reporter: Reporter): Promise<Stage> {
  const { status, text } = await sendJson(origin, '/api/executions', token, { name: 'A run' });
  expect(status, text).toBe(201);
  const { id: execution_id } = JSON.parse(text) as { id: string };

  const made: string[] = [];
  const call: Reporter['call'] = async (tool, args) => {
    const report = await reporter.call(tool, args);
    if (tool === 'create_step' && report.success) made.push(String(report.data?.step_id));
    return report;
  };
  const patchRun = async (change: Fields) => {
    const { status: patched } = await callManager(origin, token, TOOLS.update_execution_session, {
      execution_id,
      ...change,
    });
    expect(patched).toBe(200);
  };
  const kept =
    carrier === 'mock client' ? keptByMock(call, execution_id, made) : keptByServer(origin, token, execution_id);
  return { carrier, origin, call, list: reporter.list, execution_id, patchRun, ...kept };
}
