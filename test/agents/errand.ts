import { execPath } from 'node:process';
import { z } from 'zod';
import { bearer, send, sendJson } from '../e2e/http.ts';
import { ERRAND, errandJson, placeFlags, serve, temporaryFolder } from '../e2e/program.ts';
import type { Server, Transport } from './agent.ts';

const Execution = z.object({
  id: z.string(),
  session_id: z.string().nullable(),
  client: z.string().nullable(),
  worktree_path: z.string().nullable(),
});
const Steps = z.object({ steps: z.array(z.record(z.string(), z.unknown())) });

/** A running Errand that agents report to. */
export interface Errand extends AsyncDisposable {
  readonly reach: (transport: Transport) => Server;
  readonly createExecution: () => Promise<string>;
  readonly getExecution: (id: string) => Promise<z.infer<typeof Execution>>;
  readonly listSteps: (id: string) => Promise<z.infer<typeof Steps>['steps']>;
}

export async function openErrand(): Promise<Errand> {
  // On failure, close what was already opened.
  await using opened = new AsyncDisposableStack();
  const place = { data: opened.use(await temporaryFolder()).path };
  const { origin } = opened.use(await serve(place));
  const token = ['token', 'create', '--kind', 'user', '--name', 'agents', '--scopes', 'execution:report'];
  const secret = String((await errandJson([...token, ...placeFlags(place)])).token);
  const { hostname, port } = new URL(origin);

  const read = async (path: string): Promise<unknown> =>
    JSON.parse((await send(origin, { method: 'GET', path, headers: bearer(secret) })).text);

  const all = opened.move();
  return {
    reach: (transport) =>
      transport === 'HTTP'
        ? { url: `${origin}/mcp/executions`, token: secret }
        : {
            command: execPath,
            args: [ERRAND, 'mcp', '--profile', 'executions'],
            env: { TASK_MANAGER_HOST: hostname, TASK_MANAGER_PORT: port, TASK_MANAGER_TOKEN: secret },
          },
    createExecution: async () => {
      const { text } = await sendJson(origin, '/api/executions', secret, { name: 'A run of an agent' });
      return Execution.parse(JSON.parse(text)).id;
    },
    getExecution: async (id) => Execution.parse(await read(`/api/executions/${id}`)),
    listSteps: async (id) => Steps.parse(await read(`/api/executions/${id}/steps`)).steps,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
