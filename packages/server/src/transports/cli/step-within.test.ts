import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aStub, saysJson } from '#clients/testing/stub-task-manager';
import { reportSteps } from '#compose-reporter';
import { createLog } from '#observability/log';
import { type Destination, runWithin } from './step-within.ts';

const PATCH = 'PATCH /api/executions/e1/steps/s1 HTTP/1.1';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'errand-within-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A command that exits with 3 as soon as the file exists, or when its folder is gone. */
const untilThere = (path: string): readonly [string, ...string[]] => [
  'sh',
  '-c',
  'until [ -e "$0" ] || [ ! -d "$1" ]; do sleep 0.02; done; exit 3',
  path,
  folder,
];

type Send = Destination['send'];

/** Heartbeats arrive, and then the connection breaks. */
const breaking =
  (send: Send): Send =>
  async (tool, input) => {
    const outcome = await send(tool, input);
    if (input.status === 'running') throw new Error('The store is gone.');
    return outcome;
  };

/** Returns the reports that a Task Manager gets of a command that runs for this many heartbeats. */
async function heardAround(signs: number, way: (send: Send) => Send = (send) => send) {
  const done = join(folder, 'done');
  let answering = 0;
  let most = 0;
  await using stub = await aStub(async (socket, heard) => {
    answering++;
    most = Math.max(most, answering);
    const isLastSign = stub.heard.length > signs && !existsSync(done);
    if (isLastSign) await writeFile(done, '');
    // Longer than the time between two heartbeats; for the last one, longer than the command takes to end.
    await pass(isLastSign ? 400 : 20);
    answering--;
    saysJson(200, { step_id: 's1' })(socket, heard);
  });
  const access = { use_mock: false, host: '127.0.0.1', port: stub.port, timeout_s: 5, token: null };
  const send = way(reportSteps(access, createLog({ level: 'error', fd: 2 })));

  const code = await runWithin({
    fields: { step_name: 'Build' },
    command: untilThere(done),
    open: async () => ({ execution_id: 'e1', send }),
    sign_of_life_ms: 5,
  });

  const requests = stub.heard.map(({ line, body }) => ({ line, body: JSON.parse(body) as unknown }));
  return { code, most, requests };
}

describe('a step around a command', () => {
  it('sends heartbeats while the command runs, one call at a time, and then how it ended', async () => {
    const { code, most, requests } = await heardAround(3);

    expect(code).toBe(3);
    expect(most).toBe(1);
    const [created, ...rest] = requests;
    const ended = rest.pop();
    expect(created).toMatchObject({ line: 'POST /api/executions/e1/steps HTTP/1.1' });
    expect(rest.length).toBeGreaterThanOrEqual(3);
    for (const sign of rest) expect(sign).toEqual({ line: PATCH, body: { status: 'running' } });
    expect(ended).toEqual({ line: PATCH, body: { status: 'failed', message: 'exit 3' } });
  });

  it('continues when a heartbeat fails', async () => {
    const { code, requests } = await heardAround(3, breaking);

    expect(code).toBe(3);
    expect(requests.at(-1)).toEqual({ line: PATCH, body: { status: 'failed', message: 'exit 3' } });
  });
});
