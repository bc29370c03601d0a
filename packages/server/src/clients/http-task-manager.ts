import { createHash } from 'node:crypto';
import { say } from '#advice';
import type { ClientFacts } from '#domain/client-facts';
import { CLIENT_FACT_HEADERS } from '#tools/client-fact-headers';
import { type TaskManager, TaskManagerError } from '#tools/task-manager';
import { executionIn, newStepIn, stepIn } from './answers.ts';
import { connectTo } from './client.ts';
import { createExchange } from './exchange.ts';
import { createFailures, type Fields, isFields } from './failures.ts';
import { reportCreateStep, reportHealthCheck, reportPatchExecution, reportPatchStep } from './generated/errand-api.ts';
import { isSegment } from './segment.ts';
import { withoutToken } from './without-token.ts';

export interface HttpAccess {
  readonly host: string;
  readonly port: number;
  readonly timeout_s: number;
  readonly token: string | null;
  /** Facts about the reporter, sent with every request. */
  readonly client_facts?: ClientFacts;
  /** Names one operation: when it is repeated, it happens once. */
  readonly idempotency_key?: string;
}

const baseUrl = (host: string, port: number): string =>
  `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;

const WHERE_FROM = {
  execution_id: 'It is in the NOVA_EXECUTION_ID environment variable.',
  step_id: say`${{ tool: 'create_step' }} gives it.`,
};

function check(name: keyof typeof WHERE_FROM, id: string): void {
  if (isSegment(id)) return;
  throw new TaskManagerError(say`Invalid ${{ field: name }}. ${WHERE_FROM[name]}`, {
    error_code: 'validation_error',
    status_code: 400,
  });
}

// The cast: `Object.entries` forgets the names of the fields.
const clientFactHeaders = (client_facts: ClientFacts): Record<string, string> =>
  Object.fromEntries(
    Object.entries(client_facts).map(([name, value]) => [
      CLIENT_FACT_HEADERS[name as keyof ClientFacts],
      encodeURIComponent(value.toWellFormed()),
    ]),
  );

/** A header takes printable ASCII alone; the hash of another key is the same each time. */
const headerKey = (key: string): string =>
  /^[\x21-\x7e]+$/.test(key) ? key : createHash('sha256').update(key).digest('hex');

/** Other Task Managers answer more, or less, than the generated types declare. */
interface Answered {
  readonly status: number;
  readonly data: unknown;
}

const isHealthy = ({ status, success }: Fields): boolean =>
  success !== false && (typeof status !== 'string' || /^(healthy|ok|up|pass)$/i.test(status.trim()));

/** Reports to a Task Manager over HTTP. Every failure rejects with `TaskManagerError`, within the time given. */
export function createHttpTaskManager(access: HttpAccess): TaskManager {
  const { host, port, timeout_s, token, client_facts = {}, idempotency_key } = access;
  const once = idempotency_key === undefined ? {} : { idempotencyKey: headerKey(idempotency_key) };
  const base_url = baseUrl(host, port);
  const failures = createFailures(base_url);
  const request = connectTo({
    url: base_url,
    token,
    headers: clientFactHeaders(client_facts),
    fetch: createExchange(failures, { timeout_ms: Math.ceil(timeout_s * 1_000), clean: withoutToken(token) }),
  });

  /** The fields of an answer; null when it has none. Some Task Managers answer a refusal with 200 and "success": false. */
  function saidIn({ status, data }: Answered): Fields | null {
    if (!isFields(data)) return null;
    if (data.success === false) throw failures.refused(status, data);
    return data;
  }

  function needed<T>(value: T | null, failure: TaskManagerError): T {
    if (value === null) throw failure;
    return value;
  }

  return {
    patchExecution: async (execution_id, patch) => {
      check('execution_id', execution_id);
      const said = saidIn(await reportPatchExecution(execution_id, patch, once, request));
      return executionIn(said ?? { ...patch, execution_id });
    },
    createStep: async (execution_id, step) => {
      check('execution_id', execution_id);
      const answered = await reportCreateStep(execution_id, step, once, request);
      const said = needed(saidIn(answered), failures.notJson(answered.status));
      return needed(newStepIn(said), failures.withoutStep(answered.status));
    },
    patchStep: async (execution_id, step_id, patch) => {
      check('execution_id', execution_id);
      check('step_id', step_id);
      const answered = await reportPatchStep(execution_id, step_id, patch, once, request);
      const step = stepIn(saidIn(answered) ?? {}, { execution_id, step_id });
      return needed(step, failures.ofAnother(answered.status));
    },
    checkHealth: async () => {
      const { status, data }: Answered = await reportHealthCheck(request);
      if (!isFields(data)) throw failures.notJson(status);
      if (!isHealthy(data)) throw failures.unhealthy(status, data);
      return { status: 'healthy', client: 'http', config: { host, port, base_url } };
    },
  };
}
