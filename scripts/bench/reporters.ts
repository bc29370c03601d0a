import { sendJson } from '../../test/e2e/http.ts';
import type { BenchErrand } from './errand.ts';
import type { Shot } from './load.ts';

export interface Reporters {
  readonly token: string;
  /** The paths for the steps of each run. */
  readonly paths: readonly string[];
  readonly shot: Shot;
}

async function createRun(origin: string, token: string): Promise<string> {
  const { status, text } = await sendJson(origin, '/api/executions', token, { name: 'Make the tests pass' });
  if (status !== 201) throw new Error(`POST /api/executions answered ${status}: ${text}`);
  return `/api/executions/${(JSON.parse(text) as { id: string }).id}/steps`;
}

/** Opens several reporters. Each reports on its own run, and moves to the next run after some steps. */
export async function openReporters(
  { origin, admin, user_id }: Pick<BenchErrand, 'origin' | 'admin' | 'user_id'>,
  { runs, at_once, steps }: { readonly runs: number; readonly at_once: number; readonly steps: number },
): Promise<Reporters> {
  const { token } = await admin.createToken({ kind: 'user', user_id, scopes: ['execution:report'] });
  const paths: string[] = [];
  while (paths.length < runs) {
    paths.push(...(await Promise.all(Array.from({ length: at_once }, () => createRun(origin, token)))));
  }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ step_name: 'Run the tests', message: 'The suite of the server, 1,200 tests' });
  return { token, paths, shot: { url: origin, route: { paths, at_once, times: steps }, headers, body } };
}
