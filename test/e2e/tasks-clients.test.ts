import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  driveExtTasks2025,
  driveExtTasks2026,
  driveSdkV1,
  driveSdkV1OverStdio,
  type TaskDriver,
} from './tasks-drivers.ts';
import { type Fixture, startFixture, stopFixtures } from './tasks-fixture.ts';
import { inspect } from './tasks-inspector.ts';
import { createWireCheck, type WireCheck } from './tasks-schemas.ts';
import { openTap } from './tasks-tap.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(stopFixtures);

interface Watched extends AsyncDisposable {
  readonly driver: TaskDriver;
  readonly wire: WireCheck;
}

async function overHttp(connect: (url: URL) => Promise<TaskDriver>): Promise<Watched> {
  const tap = await openTap(fixture.url);
  const driver = await connect(tap.url);
  const { wire } = tap;
  return {
    driver,
    wire,
    [Symbol.asyncDispose]: async () => {
      await driver[Symbol.asyncDispose]();
      await tap[Symbol.asyncDispose]();
    },
  };
}

async function overStdio(): Promise<Watched> {
  const wire = createWireCheck();
  const driver = await driveSdkV1OverStdio(wire);
  return { driver, wire, [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose]() };
}

const CLIENTS: readonly [name: string, connect: () => Promise<Watched>][] = [
  ['SDK 1.32 over HTTP', () => overHttp(driveSdkV1)],
  ['SDK 1.32 over stdio', overStdio],
  ['ext-tasks of 2025 over HTTP', () => overHttp(driveExtTasks2025)],
  ['ext-tasks of 2026 over HTTP', () => overHttp(driveExtTasks2026)],
];

// At once: every test connects clients of its own, and they wait a second between two looks at a task.
describe.concurrent.each(CLIENTS)('tasks with %s', (name, connect) => {
  const failed = name.includes('2026') ? 'completed' : 'failed';

  it('[A2, A3, A4, B2, B3, TEST-08, INTG-03, INTG-04] complete', async () => {
    await using client = await connect();

    const done = await client.driver.run('slow_compute', { seconds: 0.5, label: 'sum' });

    expect(done).toEqual({ status: 'completed', text: 'sum: computed for 0.5 s.' });
    expect(client.wire.violations).toEqual([]);
    expect([...client.wire.seen]).toEqual(expect.arrayContaining(['result of tools/call', 'result of tasks/get']));
  });

  it('[A7, B6] show a failed tool with its message', async () => {
    await using client = await connect();

    const done = await client.driver.run('failing_job', {});

    expect(done).toEqual({ status: failed, text: 'The job failed.' });
    expect(client.wire.violations).toEqual([]);
  });

  it('[A6, B5, R6, INTG-08] are cancelled', async () => {
    await using client = await connect();

    const done = await client.driver.run('slow_compute', { seconds: 60 }, (cancel) => cancel());

    expect(done.status).toBe('cancelled');
    expect(client.wire.violations).toEqual([]);
  });

  it('[A8, B4, C2] continue with the user’s answer', async () => {
    await using client = await connect();

    const one = await client.driver.run('confirm_delete', { filename: 'a.txt' });
    const two = await client.driver.run('multi_input', {});

    expect(one).toEqual({ status: 'completed', text: 'Deleted a.txt.' });
    expect(two).toEqual({ status: 'completed', text: '{"name":"Ada","colour":"red"}' });
    expect(client.wire.violations).toEqual([]);
    expect([...client.wire.seen]).toContain(name.includes('2026') ? 'result of tasks/update' : 'elicitation/create');
  });
});

describe.concurrent.each(CLIENTS.filter(([name]) => !name.includes('2026')))('tasks with %s', (_name, connect) => {
  it('[A5, O2, INTG-07, SEC-03] are listed for their creator', async () => {
    await using client = await connect();
    await using other = await connect();
    await other.driver.run('slow_compute', { seconds: 0 });

    await client.driver.run('slow_compute', { seconds: 0 });
    const listed = await client.driver.list?.();

    expect(listed).toHaveLength(1);
    expect(client.wire.violations).toEqual([]);
  });
});

describe.concurrent.each(['legacy', 'modern'])('tasks with the Inspector in its %s era', (era) => {
  it('[A2, B2] complete, with a tool that may and one that must run as a task', async () => {
    await using tap = await openTap(fixture.url);

    const done = await inspect(tap.url, era, 'slow_compute', { seconds: 0.5, label: 'sum' });
    const failed = await inspect(tap.url, era, 'failing_job', {});

    expect(done).toContain('sum: computed for 0.5 s.');
    expect(failed).toContain('The job failed.');
    expect(tap.wire.violations).toEqual([]);
    expect([...tap.wire.seen]).toContain('result of tasks/get');
  });
});
