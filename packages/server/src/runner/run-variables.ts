import type { Session } from '#domain/attempt';

interface Given {
  readonly url: string;
  readonly secret: string;
  readonly execution_id: string;
  readonly session: Pick<Session, 'agent_session_id'>;
}

/** The variables of every run: where to report, with which token, and which session to resume. */
export function runVariables({ url, secret, execution_id, session }: Given): Readonly<Record<string, string>> {
  const { hostname, port, protocol } = new URL(url);
  return {
    NOVA_EXECUTION_ID: execution_id,
    ERRAND_URL: url,
    ERRAND_TOKEN: secret,
    TASK_MANAGER_HOST: hostname,
    TASK_MANAGER_PORT: port || (protocol === 'https:' ? '443' : '80'),
    TASK_MANAGER_TOKEN: secret,
    ...(session.agent_session_id !== null && { ERRAND_AGENT_SESSION_ID: session.agent_session_id }),
  };
}
