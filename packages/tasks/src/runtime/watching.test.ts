import { describe, expect, it } from 'vitest';
import type { TaskStore } from '#store';
import { memoryStore } from '#stores/memory';
import type { TaskRecord } from '#task';
import { openTasks } from '#testing/open-tasks';

const job = { owner_id: 'alice', tool: 'job', arguments: {} };
const tools = { job: () => new Promise<never>(() => undefined) };

describe('watching a task', () => {
  it('[R13, ADVS-02, NOTF-01] calls the listener now, then at every change in order, until the task ends', async () => {
    const tasks = openTasks({ tools, worker: false });
    const { task_id } = await tasks.create(job);
    const seen: (string | null)[] = [];
    const tell = (task: TaskRecord | null) => seen.push(task === null ? null : `${task.status} ${task.status_message}`);

    tasks.watch('alice', task_id, tell);
    await tasks.updateStatus('alice', task_id, 'working', 'one');
    await settled();
    await tasks.updateStatus('alice', task_id, 'input_required', 'two');
    await settled();
    await tasks.updateStatus('alice', task_id, 'completed', 'three');
    await settled();

    expect(seen.at(-1)).toBe('completed three');
    expect(seen.slice(-3)).toEqual(['working one', 'input_required two', 'completed three']);
  });

  it('[R13] calls a second listener with the state too, and both at every change', async () => {
    const tasks = openTasks({ tools, worker: false, poll_interval_ms: 3_600_000 });
    const { task_id } = await tasks.create(job);
    const first: unknown[] = [];
    const second: unknown[] = [];

    tasks.watch('alice', task_id, (task) => first.push(task?.status_message));
    await settled();
    tasks.watch('alice', task_id, (task) => second.push(task?.status_message));
    await settled();
    await tasks.updateStatus('alice', task_id, 'working', 'one');
    await settled();

    expect(first).toEqual([null, 'one']);
    expect(second).toEqual([null, 'one']);
  });

  it('[R13, T6] ends with null when the task expires', async () => {
    let now = 1_000_000;
    const tasks = openTasks({ store: memoryStore({ clock: () => now }), tools, worker: false });
    const { task_id } = await tasks.create({ ...job, ttl_ms: 1_000 });
    const gone = new Promise((resolve) => tasks.watch('alice', task_id, (task) => task ?? resolve('gone')));
    const waiting = tasks.wait('alice', task_id);
    waiting.catch(() => undefined);

    now += 1_000;

    expect(await gone).toBe('gone');
    await expect(waiting).rejects.toMatchObject({ code: 'not_found' });
  });

  it('[R13] makes no calls after it was stopped', async () => {
    const tasks = openTasks({ tools, worker: false });
    const { task_id } = await tasks.create(job);
    const seen: unknown[] = [];
    const leave = tasks.watch('alice', task_id, (task) => seen.push(task));
    await settled();

    leave();
    await tasks.cancel('alice', task_id);
    await settled();

    expect(seen).toHaveLength(1);
  });

  it('[R4] stops waiting when the caller aborts', async () => {
    const tasks = openTasks({ tools, worker: false });
    const { task_id } = await tasks.create(job);
    const patience = new AbortController();

    const waiting = tasks.wait('alice', task_id, { signal: patience.signal });
    patience.abort(new Error('enough'));

    await expect(waiting).rejects.toThrow('enough');
    await expect(tasks.wait('alice', task_id, { signal: patience.signal })).rejects.toThrow('enough');
  });

  it('[R4, R11] ends with the runtime: waiting callers get `store_unavailable`', async () => {
    const tasks = openTasks({ tools, worker: false });
    const { task_id } = await tasks.create(job);

    const waiting = tasks.wait('alice', task_id);
    waiting.catch(() => undefined);
    await tasks.close();

    await expect(waiting).rejects.toMatchObject({ code: 'store_unavailable' });
    await expect(tasks.wait('alice', task_id)).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  it('[R13, R4] continues for other listeners when one throws', async () => {
    const reported: unknown[] = [];
    const tasks = openTasks({ tools, worker: false, report: (error) => reported.push(error) });
    const { task_id } = await tasks.create(job);
    const broken = () => {
      throw new Error('broken');
    };
    tasks.watch('alice', task_id, broken);
    const waiting = tasks.wait('alice', task_id);
    await settled();
    tasks.watch('alice', task_id, broken);

    await tasks.cancel('alice', task_id);

    expect(await waiting).toMatchObject({ status: 'cancelled' });
    await settled();
    expect(reported.length).toBeGreaterThan(2);
  });

  it('[R4] ends before the task when `until` returns true or throws', async () => {
    const tasks = openTasks({ tools, worker: false });
    const { task_id } = await tasks.create(job);

    const enough = tasks.wait('alice', task_id, { until: ({ status_message }) => status_message === 'half way' });
    const broken = tasks.wait('alice', task_id, {
      until: () => {
        throw new Error('broken');
      },
    });
    broken.catch(() => undefined);
    await tasks.updateStatus('alice', task_id, 'working', 'half way');

    expect(await enough).toMatchObject({ status: 'working' });
    await expect(broken).rejects.toThrow('broken');
  });

  it('[R13] reads a task once for many listeners', async () => {
    const store = memoryStore();
    let looks = 0;
    const counted: TaskStore = {
      ...store,
      get: (...args) => {
        looks += 1;
        return store.get(...args);
      },
    };
    const tasks = openTasks({ store: counted, tools, worker: false, poll_interval_ms: 3_600_000 });
    const { task_id } = await tasks.create(job);
    for (let i = 0; i < 50; i += 1) tasks.watch('alice', task_id, () => undefined);
    await settled();
    looks = 0;

    await store.replace({ ...(await store.get('alice', task_id)), version: 2, updated_at: 1 } as TaskRecord);
    await settled();

    expect(looks).toBe(1);
  });
});

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 15));
