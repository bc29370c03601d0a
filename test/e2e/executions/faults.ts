import { setInterval } from 'node:timers';
import { expect } from 'vitest';
import { type Answer, says, saysJson } from '../../../packages/server/src/clients/testing/stub-task-manager.ts';
import type { Report } from './report.ts';

/** A failing Task Manager, and the expected error for the agent. */
export interface Fault {
  readonly name: string;
  readonly answer: Answer;
  readonly expected: (origin: string) => Partial<Report>;
}

const TEN_MEGABYTES = 'x'.repeat(10 * 1024 * 1024);
const HTML = '<html><body><h1>Traceback</h1> at /srv/secret.py</body></html>';

const timeout = () => ({ error: 'Request timeout', error_code: 'timeout' });
const noConnection = (origin: string) => ({
  error: `Connection failed to ${origin}`,
  error_code: 'connection_failed',
});
const noAnswer = () => ({ error: expect.stringMatching(/^Task Manager answered /), error_code: 'bad_response' });
const failed = (status_code: number) => () => ({
  error: expect.stringMatching(new RegExp(`^Task Manager answered .*${status_code}`)),
  status_code,
});

/** Sends a space every few milliseconds while the connection is open. */
const drip: Answer = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n');
  const timer = setInterval(() => socket.write(' '), 20);
  socket.on('close', () => clearInterval(timer));
};

/** The answer takes too long. */
export const SILENCES: readonly Fault[] = [
  { name: 'hangs', answer: () => {}, expected: timeout },
  { name: 'answers drop by drop', answer: drip, expected: timeout },
];

/** The connection ends before an answer. */
export const BREAKS: readonly Fault[] = [
  { name: 'resets the connection', answer: (socket) => socket.resetAndDestroy(), expected: noConnection },
];

/** The received data is no valid answer. */
export const GARBAGE: readonly Fault[] = [
  { name: 'answers with garbage', answer: says(200, '}{ nonsense'), expected: noAnswer },
  { name: 'answers with HTML', answer: says(200, HTML, { 'content-type': 'text/html' }), expected: noAnswer },
  { name: 'answers with 10 MB', answer: saysJson(200, { step_id: 'x', step_name: TEN_MEGABYTES }), expected: noAnswer },
  { name: 'sends elsewhere', answer: says(307, '', { location: '/api/other' }), expected: failed(307) },
];

/** Failures in various formats. */
export const FAILURES: readonly Fault[] = [
  { name: 'fails with HTML', answer: says(500, HTML, { 'content-type': 'text/html' }), expected: failed(500) },
  { name: 'fails with 10 MB', answer: says(500, TEN_MEGABYTES), expected: failed(500) },
  {
    name: 'refuses with error and error_code',
    answer: saysJson(409, { error: 'That run has ended.', error_code: 'RUN_ENDED' }),
    expected: () => ({ error: 'That run has ended.', error_code: 'RUN_ENDED', status_code: 409 }),
  },
  {
    name: 'refuses with an error object',
    answer: saysJson(404, { error: { code: 'not_found', message: 'No such run.' } }),
    expected: () => ({ error: 'No such run.', error_code: 'not_found', status_code: 404 }),
  },
];
