import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoryStore } from '#stores/memory';
import { aGate, openTasks } from '#testing/open-tasks';
import type { JsonObject } from './json.ts';
import { DEFAULT_LIMITS, grantTtl } from './limits.ts';
import type { TaskStore } from './store.ts';
import type { TaskStatus } from './task.ts';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const echo = async ({ arguments: args }: { readonly arguments: JsonObject }) => ({
  content: [],
  structuredContent: args,
});
const never = () => new Promise<JsonObject>(() => undefined);
const job = { owner_id: 'alice', tool: 'job', arguments: {} };

describe('tasks', () => {
  it('[R1, INTG-04, STOR-04, T4] are found as working as soon as they are created, before the work ends', async () => {
    const tasks = openTasks({ tools: { job: never } });

    const made = await tasks.create({ ...job, arguments: { size: 3 }, variables: { page: 1 } });

    const found = await tasks.get('alice', made.task_id);
    expect(found).toEqual(made);
    expect(found).toMatchObject({ status: 'working', outcome: null, version: 1, owner_id: 'alice' });
    expect(found.variables).toEqual({ page: 1 });
    expect(found.request).toMatchObject({ method: 'tools/call', tool: 'job', arguments: { size: 3 } });
  });

  it('[SEC-08, T4, TEST-06, TEST-07] have a random UUID of version 4 each', async () => {
    const tasks = openTasks({ tools: { job: never }, limits: { max_tasks_per_owner: 1_000 } });

    const made = await Promise.all(Array.from({ length: 500 }, () => tasks.create(job)));

    const ids = made.map(({ task_id }) => task_id);
    expect(new Set(ids).size).toBe(500);
    expect(ids.filter((id) => !UUID_V4.test(id))).toEqual([]);
  });

  it('[R2, T3, TEST-08, STOR-01] end with the result that their handler resolves to', async () => {
    const tasks = openTasks({ tools: { job: echo } });

    const { task_id } = await tasks.create({ ...job, arguments: { size: 3 } });

    const ended = await tasks.wait('alice', task_id);
    expect(ended).toMatchObject({ status: 'completed', lease: null });
    expect(await tasks.getResult('alice', task_id)).toEqual({
      kind: 'result',
      result: { content: [], structuredContent: { size: 3 } },
    });
  });

  it('[R2, T3] end as failed when the tool says that it failed', async () => {
    const result = { content: [{ type: 'text', text: 'no such file' }], isError: true };
    const tasks = openTasks({ tools: { job: async () => result } });

    const { task_id } = await tasks.create(job);

    expect(await tasks.wait('alice', task_id)).toMatchObject({
      status: 'failed',
      outcome: { kind: 'tool_error', result },
    });
  });

  it('[STOR-01] are refused for an unknown tool', async () => {
    const tasks = openTasks({ tools: { job: echo } });

    await expect(tasks.create({ ...job, tool: 'other' })).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('[STOR-01, T3] have no result before their end', async () => {
    const tasks = openTasks({ tools: { job: never } });

    const { task_id } = await tasks.create(job);

    await expect(tasks.getResult('alice', task_id)).rejects.toMatchObject({ code: 'invalid_params' });
  });

  it('[STOR-02, T3] get status and result in one step', async () => {
    const tasks = openTasks({ tools: { job: never }, worker: false });
    const { task_id } = await tasks.create(job);

    const done = await tasks.completeWithResult('alice', task_id, { content: [] });

    expect(done).toMatchObject({ version: 2, status: 'completed', outcome: { kind: 'result' } });
    await expect(tasks.completeWithResult('alice', task_id, { content: [] })).rejects.toMatchObject({
      code: 'invalid_transition',
    });
  });

  it('[STOR-01] keep a draft result until they are completed', async () => {
    const tasks = openTasks({ tools: { job: never }, worker: false });
    const { task_id } = await tasks.create(job);

    await tasks.setResult('alice', task_id, { content: [], structuredContent: { rows: 2 } });
    const waiting = await tasks.get('alice', task_id);
    const done = await tasks.updateStatus('alice', task_id, 'completed');

    expect(waiting).toMatchObject({ status: 'working', outcome: null });
    expect(done.outcome).toEqual({ kind: 'result', result: { content: [], structuredContent: { rows: 2 } } });
  });

  it('[T2, TYPE-03, TEST-02] change status only by the rules of the state machine', async () => {
    const allowed: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
      working: ['input_required', 'completed', 'failed', 'cancelled'],
      input_required: ['working', 'completed', 'failed', 'cancelled'],
      completed: [],
      failed: [],
      cancelled: [],
    };
    // Safe: the keys of a literal.
    const statuses = Object.keys(allowed) as TaskStatus[];
    const tasks = openTasks({ tools: { job: never }, worker: false, limits: { max_tasks_per_owner: 1_000 } });

    for (const from of statuses) {
      for (const to of statuses) {
        const { task_id } = await tasks.create(job);
        if (from !== 'working') await tasks.updateStatus('alice', task_id, from);
        const moved = tasks.updateStatus('alice', task_id, to);
        const isRefused = !allowed[from].includes(to);
        if (isRefused) await expect(moved, `${from} to ${to}`).rejects.toMatchObject({ code: 'invalid_transition' });
        else expect(await moved, `${from} to ${to}`).toMatchObject({ status: to });
        expect((await tasks.get('alice', task_id)).status).toBe(isRefused ? from : to);
      }
    }
  });

  it('[T2] accept a message without a change of status', async () => {
    const tasks = openTasks({ tools: { job: never }, worker: false });
    const { task_id } = await tasks.create(job);

    const updated = await tasks.updateStatus('alice', task_id, 'working', 'half way');

    expect(updated).toMatchObject({ status: 'working', status_message: 'half way' });
  });

  it('[O4, SEC-04] are removed when their owner has too many finished ones, the oldest first', async () => {
    const limits = { max_tasks_per_owner: 10, max_finished_per_owner: 2 };
    let now = 1_000;
    const store = memoryStore({ clock: () => now++ });
    const tasks = openTasks({ store, tools: { job: never }, worker: false, limits });
    const made: string[] = [];
    for (let i = 0; i < 4; i += 1) {
      const { task_id } = await tasks.create(job);
      made.push(task_id);
      await tasks.updateStatus('alice', task_id, 'completed');
    }

    const last = await tasks.create(job);

    const left = async () => (await tasks.list('alice')).tasks.map(({ task_id }) => task_id).toSorted();
    await expect.poll(left).toEqual([made[2], made[3], last.task_id].toSorted());
  });

  it('[STOR-06, S3, T2] end in one way only when several ends are tried at once', async () => {
    const tasks = openTasks({ tools: { job: never }, worker: false });
    for (let round = 0; round < 20; round += 1) {
      const { task_id } = await tasks.create(job);

      const ends = await Promise.allSettled([
        tasks.completeWithResult('alice', task_id, { content: [] }),
        tasks.cancel('alice', task_id),
        tasks.updateStatus('alice', task_id, 'failed'),
        tasks.updateStatus('alice', task_id, 'completed'),
      ]);

      const won = ends.filter((settled) => settled.status === 'fulfilled');
      expect(won).toHaveLength(1);
      expect(await tasks.get('alice', task_id)).toEqual(won[0]?.value);
    }
  });

  it('[R10, STOR-01] refuse a result beyond the limit, also as a draft', async () => {
    const tasks = openTasks({ tools: { job: never }, worker: false, limits: { max_result_bytes: 100 } });
    const { task_id } = await tasks.create(job);
    await tasks.setResult('alice', task_id, { content: [{ type: 'text', text: 'x'.repeat(100) }] });

    const done = await tasks.updateStatus('alice', task_id, 'completed');

    expect(done.outcome).toMatchObject({ kind: 'rpc_error', error: { message: expect.stringContaining('100 are') } });
  });

  it('[INTG-09, T6] are removed automatically when they expire', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    let now = 1_000_000;
    const store = memoryStore({ clock: () => now });
    const swept = aGate<number>();
    const watched: TaskStore = {
      ...store,
      sweep: async (limit) => {
        const count = await store.sweep(limit);
        swept.open(count);
        return count;
      },
    };
    const tasks = openTasks({ store: watched, tools: { job: never }, worker: false });
    await tasks.create({ ...job, ttl_ms: 1_000 });

    now += 1_000;
    vi.advanceTimersByTime(60_000);

    expect(await swept.passed).toBe(1);
  });

  it('[O2, SEC-02, SEC-03, TEST-06] are found only by their owner', async () => {
    const tasks = openTasks({ tools: { job: never }, worker: false });
    const { task_id } = await tasks.create(job);
    const before = await tasks.get('alice', task_id);

    const attempts = (id: string): Promise<unknown>[] => [
      tasks.get('mallory', id),
      tasks.cancel('mallory', id),
      tasks.wait('mallory', id),
      tasks.answer('mallory', id, { name: {} }),
      tasks.updateStatus('mallory', id, 'failed'),
      tasks.setVariables('mallory', id, { a: 1 }),
      tasks.setResult('mallory', id, {}),
      tasks.getResult('mallory', id),
      tasks.completeWithResult('mallory', id, {}),
      tasks.requireInput('mallory', id, 'name', { method: 'elicitation/create', params: {} }),
    ];
    const errorsOf = async (id: string) =>
      (await Promise.allSettled(attempts(id))).map((settled) =>
        String(settled.status === 'rejected' ? settled.reason : settled.value),
      );

    const foreign = await errorsOf(task_id);
    expect(foreign).toEqual(await errorsOf('7d8ff8e0-0000-4000-8000-000000000000'));
    expect(new Set(foreign)).toEqual(new Set(['TaskError: Task not found.']));
    expect((await tasks.list('mallory')).tasks).toEqual([]);
    expect(await tasks.get('alice', task_id)).toEqual(before);
  });

  it('[O3, SEC-04, TEST-06] are limited in number per owner, and a finished one no longer counts', async () => {
    const tasks = openTasks({ tools: { job: never }, worker: false, limits: { max_tasks_per_owner: 2 } });
    const [first] = [await tasks.create(job), await tasks.create(job)];

    await expect(tasks.create(job)).rejects.toMatchObject({ code: 'quota_exceeded' });
    await tasks.create({ ...job, owner_id: 'bob' });
    await tasks.cancel('alice', first.task_id);
    await tasks.create(job);

    expect((await tasks.list('alice')).tasks).toHaveLength(3);
    expect(tasks.limits.max_tasks_per_owner).toBe(2);
  });

  it('[SEC-04] are limited to a hundred per owner by default', async () => {
    expect(openTasks().limits.max_tasks_per_owner).toBe(100);
  });

  it('[INTG-07, A5, TEST-04] are listed page by page, newest first, each once, while more are created', async () => {
    let now = 1_000_000;
    const tasks = openTasks({ store: memoryStore({ clock: () => now }), tools: { job: never }, worker: false });
    const made: string[] = [];
    const made_at = new Map<string, number>();
    for (let i = 0; i < 25; i += 1) {
      now += i % 3;
      const { task_id, created_at } = await tasks.create(job);
      made.push(task_id);
      made_at.set(task_id, created_at);
    }

    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await tasks.list('alice', { limit: 4, ...(cursor !== null && { cursor }) });
      seen.push(...page.tasks.map(({ task_id }) => task_id));
      cursor = page.next_cursor;
      now += 1;
      await tasks.create(job);
    } while (cursor !== null);

    expect(seen).toHaveLength(25);
    expect(new Set(seen)).toEqual(new Set(made));
    const ages = seen.map((task_id) => made_at.get(task_id) ?? 0);
    expect(ages).toEqual(ages.toSorted((a, b) => b - a));
  });

  it('[T5, SEC-05, SEC-06, INTG-09, STOR-07] live as long as the granted TTL, and show it', async () => {
    const tasks = openTasks({
      tools: { job: never },
      worker: false,
      limits: { default_ttl_ms: 5_000, max_ttl_ms: 60_000 },
      poll_interval_ms: 77,
    });

    const lives = [undefined, 10_000, 100_000, null, 0].map(
      async (ttl_ms) => (await tasks.create({ ...job, ttl_ms })).ttl_ms,
    );

    expect(await Promise.all(lives)).toEqual([5_000, 10_000, 60_000, 60_000, 1_000]);
    expect(grantTtl(Number.MAX_SAFE_INTEGER, { ...DEFAULT_LIMITS, max_ttl_ms: null })).toBeLessThan(2 ** 42);
    expect((await tasks.create(job)).poll_interval_ms).toBe(77);
    expect(openTasks().limits).toMatchObject({ default_ttl_ms: 3_600_000, max_ttl_ms: 86_400_000 });
    for (const ttl_ms of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(tasks.create({ ...job, ttl_ms })).rejects.toMatchObject({ code: 'invalid_params' });
    }
  });

  it('[T6, INTG-09, TEST-04] are not found after expiry, in any status, and are removed', async () => {
    let now = 1_000_000;
    const tasks = openTasks({ store: memoryStore({ clock: () => now }), tools: { job: never }, worker: false });
    const short = await tasks.create({ ...job, ttl_ms: 2_000 });
    const long = await tasks.create({ ...job, ttl_ms: 3_000 });
    const done = await tasks.create({ ...job, ttl_ms: 2_000 });
    await tasks.completeWithResult('alice', done.task_id, {});

    now += 2_000;

    await expect(tasks.get('alice', short.task_id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(tasks.cancel('alice', short.task_id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await tasks.list('alice')).tasks.map(({ task_id }) => task_id)).toEqual([long.task_id]);
    expect(await tasks.cleanupExpired()).toBe(2);
    expect(await tasks.cleanupExpired()).toBe(0);
  });

  it('[T7] get a new time with every visible change, and never the same time twice', async () => {
    const tasks = openTasks({ store: memoryStore({ clock: () => 5_000 }), tools: { job: never }, worker: false });
    const { task_id, updated_at } = await tasks.create(job);

    const first = await tasks.setVariables('alice', task_id, { a: 1 });
    const second = await tasks.updateStatus('alice', task_id, 'working', 'half way');

    expect(first.updated_at).toBeGreaterThan(updated_at);
    expect(second.updated_at).toBeGreaterThan(first.updated_at);
  });

  it('[V2, STOR-03] refuse variables beyond the limits, and stay unchanged', async () => {
    const tasks = openTasks({ tools: { job: never }, worker: false, limits: { max_variables_bytes: 20 } });
    const { task_id } = await tasks.create({ ...job, variables: { kept: 1, absent: null } });

    await expect(tasks.setVariables('alice', task_id, { text: 'x'.repeat(20) })).rejects.toMatchObject({
      code: 'variables_too_large',
    });
    await expect(tasks.create({ ...job, variables: { text: 'x'.repeat(20) } })).rejects.toMatchObject({
      code: 'variables_too_large',
    });

    expect((await tasks.get('alice', task_id)).variables).toEqual({ kept: 1 });
    expect((await tasks.list('alice')).tasks).toHaveLength(1);
  });

  it('[STOR-01] are refused when their arguments are larger than the limit', async () => {
    const tasks = openTasks({ tools: { job: never }, worker: false, limits: { max_arguments_bytes: 20 } });

    await tasks.create({ ...job, arguments: { text: 'x'.repeat(9) } });
    const refused = tasks.create({ ...job, arguments: { text: 'x'.repeat(10) } });

    await expect(refused).rejects.toMatchObject({ code: 'invalid_params' });
    expect((await tasks.list('alice')).tasks).toHaveLength(1);
  });

  it('[R12, S3] retry a conflicting change until every change is stored', async () => {
    const tasks = openTasks({ tools: { job: never }, worker: false });
    const { task_id } = await tasks.create(job);

    await Promise.all(Array.from({ length: 30 }, (_, i) => tasks.setVariables('alice', task_id, { [`v${i}`]: i })));

    const { variables, version } = await tasks.get('alice', task_id);
    expect(Object.keys(variables)).toHaveLength(30);
    expect(version).toBe(31);
  });

  it('[R6, INTG-08] stay cancelled while the handler still runs', async () => {
    const began = aGate();
    const stopped = aGate<boolean>();
    const tasks = openTasks({
      tools: {
        job: async ({ signal, setVariable }) => {
          began.open();
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          await setVariable('late', true).catch(() => undefined);
          stopped.open(signal.aborted);
          return { content: [] };
        },
      },
    });
    const { task_id } = await tasks.create(job);
    await began.passed;

    const cancelled = await tasks.cancel('alice', task_id);

    expect(cancelled).toMatchObject({ status: 'cancelled', outcome: { kind: 'cancelled' } });
    expect(await stopped.passed).toBe(true);
    expect(await tasks.get('alice', task_id)).toEqual(cancelled);
    await expect(tasks.cancel('alice', task_id)).rejects.toMatchObject({ code: 'invalid_transition' });
  });
});
