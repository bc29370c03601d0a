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

/** A port on which no server listens. One that was free a moment ago may be taken by another test; `fetch` refuses port 1. */
export const CLOSED_PORT = 2;
