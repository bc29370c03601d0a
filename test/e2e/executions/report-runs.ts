import { setTimeout as sleep } from 'node:timers/promises';
import { bearer, send } from '../http.ts';

/** The amount of reports: the number of runs, each by one of the reporters. */
export interface Plan {
  readonly runs: number;
  readonly steps: number;
  readonly reporters: number;
}

/** A run with the acknowledged data that its reporter got. */
export interface ReportedRun {
  readonly id: string;
  /** The ids of its steps, in the order in which they were acknowledged. */
  readonly step_ids: readonly string[];
}

/** The reporters' knowledge. */
export interface Reports {
  /** By the name of the run. */
  readonly runs: Map<string, ReportedRun>;
  /** Answers that are never allowed. */
  readonly faults: string[];
  acknowledged: number;
}

export interface Reporting {
  /** Returns the address of the server, as soon as there is one. */
  readonly origin: () => Promise<string>;
  readonly token: string;
  /** True when the server may end during an answer. */
  readonly forgives: boolean;
}

export const createReports = (): Reports => ({ runs: new Map(), faults: [], acknowledged: 0 });

export const stepName = (number: number): string => `Step ${number}`;

const PAUSE_MS = 5;

class Refused extends Error {}

/** Posts until it is acknowledged, always under the same key. */
async function post(
  { origin, token, forgives }: Reporting,
  path: string,
  key: string,
  body: object,
): Promise<Readonly<Record<string, unknown>>> {
  const headers = { ...bearer(token), 'content-type': 'application/json', 'idempotency-key': key };
  for (;;) {
    const request = { path, headers, body: JSON.stringify(body) };
    const answer = await send(await origin(), request).catch((error: Error) => ({ status: 0, text: error.message }));
    if (answer.status === 201) return JSON.parse(answer.text) as Record<string, unknown>;
    if (!forgives || (answer.status !== 0 && answer.status !== 503)) {
      throw new Refused(`${key}: answered ${answer.status} ${answer.text}`);
    }
    await sleep(PAUSE_MS);
  }
}

async function reportRun(reporting: Reporting, reports: Reports, name: string, steps: number): Promise<void> {
  const { id } = await post(reporting, '/api/executions', name, { name });
  const step_ids: string[] = [];
  reports.runs.set(name, { id: String(id), step_ids });
  for (let number = 1; number <= steps; number++) {
    const step_name = stepName(number);
    const path = `/api/executions/${String(id)}/steps`;
    const { seq, step_id } = await post(reporting, path, `${name}, ${step_name}`, { step_name });
    if (seq !== number) reports.faults.push(`${name}: ${step_name} was acknowledged as number ${String(seq)}`);
    step_ids.push(String(step_id));
    reports.acknowledged++;
  }
}

/** Reports all runs. Each reporter does its runs one after another, step by step; all reporters work in parallel. */
export async function reportRuns(reporting: Reporting, plan: Plan, reports: Reports): Promise<void> {
  let next = 0;
  const reporter = async (): Promise<void> => {
    while (next < plan.runs) {
      next++;
      await reportRun(reporting, reports, `Run ${next}`, plan.steps);
    }
  };
  const keep = (error: unknown): void => {
    if (!(error instanceof Refused)) throw error;
    reports.faults.push(error.message);
  };
  await Promise.all(Array.from({ length: plan.reporters }, () => reporter().catch(keep)));
}
