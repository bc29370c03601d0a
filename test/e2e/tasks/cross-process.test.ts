import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../program.ts';
import { ARGUMENTS, OUTPUT } from './deploy.ts';
import { answerAll, openObserver } from './observer.ts';
import { freshPlace, type Place } from './place.ts';
import { startWorker } from './worker-process.ts';

const servers = { postgres_url: inject('postgresUrl'), redis_url: inject('redisUrl') };
const NEVER_MS = 600_000;
const KINDS = ['sqlite', 'postgres', 'redis'] as const;

/** Creates a task in this process, which another process runs. */
async function startElsewhere(kind: Place['kind'], poll_interval_ms: number, deaf: boolean) {
  const folder = await temporaryFolder();
  const place = freshPlace(kind, folder.path, servers);
  const worker = startWorker();
  const observer = await openObserver(place, poll_interval_ms, { deaf });
  onTestFinished(async () => {
    await worker[Symbol.asyncDispose]();
    await observer.close();
    await folder[Symbol.asyncDispose]();
  });
  await worker.open({ place, journal: `${folder.path}/journal`, worker: {}, poll_interval_ms, claims: true, deaf });
  const { task_id } = await observer.create({ owner_id: 'alice', tool: 'deploy', arguments: ARGUMENTS });
  answerAll(observer, 'alice', task_id);
  return observer.wait('alice', task_id);
}

const COMPLETED = { status: 'completed', outcome: { result: { structuredContent: OUTPUT } } };

describe('waiting for a task that another process runs', () => {
  it.each(KINDS)('[R4, S15, INTG-06] ends by signals alone (%s)', async (kind) => {
    const ended = await startElsewhere(kind, NEVER_MS, false);

    expect(ended).toMatchObject(COMPLETED);
  });

  it.each(KINDS)('[R5] ends by polling when signals are lost (%s)', async (kind) => {
    const ended = await startElsewhere(kind, 50, true);

    expect(ended).toMatchObject(COMPLETED);
  });

  it('does not end without signals and without polling', async () => {
    const waiting = startElsewhere('sqlite', NEVER_MS, true);

    const first = await Promise.race([waiting, sleep(2_000, 'still waiting')]);

    expect(first).toBe('still waiting');
  });
});
