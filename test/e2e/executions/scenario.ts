import { expect } from 'vitest';
import type { RequirementId } from '../../requirements.ts';
import { sendJson } from '../http.ts';
import { type Fields, type Report, type Reporter, TOOLS } from './report.ts';
import { type Carrier, callManager } from './ways.ts';

export interface Stage {
  readonly carrier: Carrier;
  /** The address of the Task Manager. */
  readonly origin: string;
  /** Makes a call over the tested transport. */
  readonly call: Reporter['call'];
  readonly list: Reporter['list'];
  /** The run of this scenario. */
  readonly execution_id: string;
  /** Changes the run as its owner, over the Task Manager API. */
  readonly patchRun: (change: Fields) => Promise<void>;
  /** Checks the stored run. */
  readonly runIs: (expected: Fields) => Promise<void>;
  /** Checks the stored steps, in order. */
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
  /** The carriers over which the scenario cannot run, with the reason. */
  readonly not_over?: Partial<Record<Carrier, string>>;
  readonly play: (stage: Stage) => Promise<void>;
}

/** Returns the data of an accepted report. */
export async function taken(report: Promise<Report>): Promise<Fields> {
  const { success, data, error } = await report;
  expect(success, error).toBe(true);
  return data ?? {};
}

/** Returns the refusal of a report. */
export async function refused(report: Promise<Report>): Promise<Report> {
  const answer = await report;
  expect(answer.success, JSON.stringify(answer.data)).toBe(false);
  return answer;
}

const ROWS = 'GET /api/executions/{execution_id}/steps';
const RUN = 'GET /api/executions/{execution_id}';

interface Kept extends Pick<Stage, 'runIs' | 'stepsAre'> {}

/** Reads the Task Manager directly, not over the tested transport. */
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

/** Returns a text as an answer shows it: a too long text is cut, with a mark. */
const shownAs = (text: string | null) =>
  expect.toSatisfy(
    (shown: string | null) =>
      shown === text || (shown?.endsWith('…') === true && text?.startsWith(shown.slice(0, -1)) === true),
  );

/** The mock shows its data only in answers: each step is read by setting its expected status. */
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
  /** The token of the reporting agent. */
  readonly token: string;
}

/** Opens a run for one scenario, with checks of its stored data. */
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
