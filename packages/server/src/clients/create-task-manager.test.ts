import { describe, expect, it } from 'vitest';
import { createTaskManager } from './create-task-manager.ts';
import { aStub, saysJson } from './testing/stub-task-manager.ts';

describe('the choice of a Task Manager', () => {
  it('[R5.1, R5.2] is the one in memory for tests', async () => {
    await using stub = await aStub(saysJson(200, {}));
    const access = { host: '127.0.0.1', port: stub.port, timeout_s: 5, token: null };

    const manager = createTaskManager({ ...access, use_mock: true });

    expect((await manager.checkHealth()).client).toBe('mock');
    expect(stub.heard).toEqual([]);
  });

  it('[R5.1, R5.3] is the Task Manager over HTTP otherwise', async () => {
    await using stub = await aStub(saysJson(200, {}));
    const access = { host: '127.0.0.1', port: stub.port, timeout_s: 5, token: null };

    const manager = createTaskManager({ ...access, use_mock: false });

    expect((await manager.checkHealth()).client).toBe('http');
    expect(stub.heard).toHaveLength(1);
  });
});
