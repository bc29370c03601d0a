import type { AuditDraft } from '#domain/audit';
import type { Call } from './gateway.ts';

type Result = Pick<AuditDraft, 'outcome' | 'entity' | 'entity_id' | 'idempotency_key'>;

const DENIALS: ReadonlySet<string> = new Set(['unauthorized', 'insufficient_scope', 'project_not_granted']);

/** Whether a refusal with this code is written down: someone reached for what is not theirs. */
export const isDenial = (code: string): boolean => DENIALS.has(code);

export const DENIED: Result = { outcome: 'denied', entity: null, entity_id: null, idempotency_key: null };

/** An entry of the trail for this call. */
export const auditOf = ({ caller, tool }: Call, correlation_id: string, result: Result): AuditDraft => ({
  workspace_id: caller.workspace_id,
  actor_kind: caller.kind,
  user_id: caller.user_id,
  agent_id: caller.agent_id,
  token_id: caller.token_id,
  action: tool.full_name,
  correlation_id,
  ...result,
});
