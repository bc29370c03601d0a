import { aStub } from '../../../packages/server/src/clients/testing/stub-task-manager.ts';

/** Makes the environment of a reporter that uses the Task Manager at this address. */
export const managerAt = (origin: string, token: string, timeout = '10'): Readonly<Record<string, string>> => {
  const { hostname, port } = new URL(origin);
  return {
    TASK_MANAGER_HOST: hostname,
    TASK_MANAGER_PORT: port,
    TASK_MANAGER_TOKEN: token,
    TASK_MANAGER_TIMEOUT: timeout,
  };
};

/** Finds a free port. */
export async function freePort(): Promise<number> {
  await using stub = await aStub(() => {});
  return stub.port;
}
