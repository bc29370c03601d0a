import { expect, it } from 'vitest';
import { databaseAway, databaseReplaced } from '#store/sql/database-error';
import { logHealth, reporter } from './compose-health.ts';

const POSTGRES = { kind: 'postgres', url: 'postgres://ann:hunter2@db.example/errand' } as const;

function aLog() {
  const lines: (readonly [string, object?])[] = [];
  const write = (...line: readonly [string, object?]): void => void lines.push(line);
  return { lines, log: { call: () => {}, info: write, warn: write, error: write, flush: () => {} } };
}

it('logs a failure outside of calls, but not another failure of the database', () => {
  const { lines, log } = aLog();
  const report = reporter(log, 'runner');
  const fault = new Error('a fault of ours');

  report(databaseAway(new Error('connect ECONNREFUSED')));
  report(databaseReplaced(new Error('errand.db is gone.')));
  report(fault);

  expect(lines).toEqual([['runner', { error: fault }]]);
});

it('logs in one line that the database fails, without a stack or its password, and later that it works again', () => {
  const { lines, log } = aLog();
  const tell = logHealth(log, POSTGRES);

  tell(databaseAway(new Error('connect ECONNREFUSED.')));
  tell(null);

  expect(lines).toEqual([
    [expect.stringMatching(/^The database .* cannot be used: connect ECONNREFUSED\.$/), { code: 'database_error' }],
    ['The database works again.'],
  ]);
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});
