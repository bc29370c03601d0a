import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createServer } from '#compose-http';
import { openTasks } from '#compose-tasks';
import { createLog } from '#observability/log';
import { createMetrics } from '#observability/metrics';
import { ask } from '#testing/served';
import { createWorld } from '#testing/world';
import { DEFAULT_TRAFFIC } from '#transports/traffic';

it('is not ready, and names the file in the log, while the file of its tasks is gone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'errand-tasks-file-'));
  const path = join(folder, 'tasks.db');
  const lines: string[] = [];
  const log = { ...createLog({ level: 'silent', fd: 2 }), error: (line: string) => void lines.push(line) };
  const world = await createWorld();
  const { gateway, installation, store } = world;
  const tasks = await openTasks({ store: { kind: 'sqlite', path }, gateway, installation, log });
  const config = { allowed_hosts: [], allowed_origins: [], trusted_proxies: [], traffic: DEFAULT_TRAFFIC };
  const errand = { gateway, metrics: createMetrics(0), check: () => store.check() };
  const open = async () => {
    const server = createServer(errand, { tasks, config, profile: 'all', version: '1.2.3', log });
    const { port } = await server.listen('127.0.0.1', 0);
    onTestFinished(() => server.drain(0));
    return () => ask(`http://127.0.0.1:${port}/readyz`);
  };
  onTestFinished(async () => {
    await tasks.tasks.close({ grace_ms: 0 });
    await world[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  // A server caches for a second that it was ready: another server on the same store checks again.
  const [before, meanwhile, after] = [await open(), await open(), await open()];
  const ready = await before();

  await rename(path, `${path}.aside`);
  const away = await meanwhile();
  await vi.waitFor(() => expect(lines).toEqual([`The store of tasks is away: ${path} is gone.`]), 5_000);
  await rename(`${path}.aside`, path);

  expect([ready.status, away.status, (await after()).status]).toEqual([200, 503, 200]);
});
