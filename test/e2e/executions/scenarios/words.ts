import { expect } from 'vitest';

export const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
export const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
export const STATUSES = ['running', 'completed', 'failed', 'skipped'];
export const WRONG_STATUSES = ['done', '', 'RUNNING', ' running', 7, ['running']];
export const EMOJI = '🦊';
export const WORLD = 'Ærø 東京 שלום مرحبا 👩‍👩‍👧 é ﷽';
export const HOSTILE = `Robert'); DROP TABLE steps;-- " \\ $1 ? %s \${x} <b>&amp;</b> {{7*7}}`;
export const NO_SUCH = '00000000-0000-7000-8000-000000000000';

/** Ids that do not exist. Each would break out of its URL segment if it were not encoded. */
export const STRANGE_IDS = [NO_SUCH, 'a/b', '../../health', 'a?b#c', '%2e%2e', 'ÿ☃', `' or 1=1`];

const shown = (status: unknown): string => (typeof status === 'string' ? status : JSON.stringify(status));

export const wrongStatus = (status: unknown) => ({
  success: false,
  error: `Invalid status '${shown(status)}'. Must be one of: running, completed, failed, skipped`,
  error_code: 'validation_error',
  status_code: 400,
  valid_statuses: STATUSES,
});

export const noRun = (id: string) => ({
  error: expect.stringContaining(`No execution ${id} that you may report on.`),
  error_code: 'not_found',
  status_code: 404,
});

export const MAKES_RUNS = { 'mock client': 'it makes an execution when one is first reported on' };
export const NO_ENVELOPE = { 'Task Manager API': 'the envelope is made by the tools, not by the Task Manager' };
export const NO_LIST = {
  REST: 'it has no list of tools; the same words are in /openapi.json',
  'Task Manager API': 'it has no tools; docs/swagger.yaml describes it',
};
