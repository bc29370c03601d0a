import { aStub } from '../../../packages/server/src/clients/testing/stub-task-manager.ts';

/** The environment of a reporter, which knows a Task Manager by its address only. */
export const managerAt = (origin: string, token: string, timeout = '10'): Readonly<Record<string, string>> => {
  const { hostname, port } = new URL(origin);
  return {
    TASK_MANAGER_HOST: hostname,
    TASK_MANAGER_PORT: port,
    TASK_MANAGER_TOKEN: token,
    TASK_MANAGER_TIMEOUT: timeout,
  };
};

/** A port of this machine where nobody listens. */
export async function freePort(): Promise<number> {
  await using stub = await aStub(() => {});
  return stub.port;
}
