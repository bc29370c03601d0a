import type { AuditDraft } from '#domain/audit';
import type { ProjectId } from '#domain/ids';
import type { Admitted } from './admit.ts';
import { digest } from './fingerprint.ts';
import type { Call } from './gateway.ts';

const DENIALS: ReadonlySet<string> = new Set([
  'unauthorized',
  'insufficient_scope',
  'project_not_granted',
  'move_not_granted',
  'membership_managed_externally',
]);

/** Whether a refusal with this code is written down: someone reached for what is not theirs. */
export const isDenial = (code: string): boolean => DENIALS.has(code);

/** What a call is about and what it changed, gathered while it runs. */
export interface Changes {
  readonly enter: (project: ProjectId) => void;
  /** The last project that it entered. */
  readonly project: () => ProjectId | null;
  readonly changed: (before: unknown, after: unknown) => void;
  readonly digests: () => Pick<AuditDraft, 'before_digest' | 'after_digest'>;
}

/** One thing as it is, several as a list, nothing as null. */
const digestOf = (things: readonly unknown[]): string | null => {
  const some = things.filter((thing) => thing !== null);
  return some.length === 0 ? null : digest(some.length === 1 ? some[0] : some);
};

export function createChanges(): Changes {
  let project: ProjectId | null = null;
  const befores: unknown[] = [];
  const afters: unknown[] = [];
  return {
    enter: (entered) => {
      project = entered;
    },
    project: () => project,
    changed: (before, after) => {
      befores.push(before);
      afters.push(after);
    },
    digests: () => ({ before_digest: digestOf(befores), after_digest: digestOf(afters) }),
  };
}

const actorOf = ({ caller, tool }: Call, correlation_id: string) => ({
  workspace_id: caller.workspace_id,
  actor_kind: caller.kind,
  user_id: caller.user_id,
  agent_id: caller.agent_id,
  token_id: caller.token_id,
  action: tool.full_name,
  correlation_id,
});

/** The entry of a call that succeeded. */
export function auditOf(
  { call, input, subject, correlation_id }: Admitted,
  output: unknown,
  changes: Changes,
): AuditDraft {
  const entity = call.tool.entity?.(input as never, output as never, subject);
  const { idempotency_key = null, instruction_ref = null } = input as Record<string, string | undefined>;
  return {
    ...actorOf(call, correlation_id),
    outcome: 'ok',
    entity: entity?.kind ?? null,
    entity_id: entity?.id ?? null,
    idempotency_key,
    ...changes.digests(),
    instruction_ref,
  };
}

/** The entry of a call that was refused. */
export const denialOf = (call: Call, correlation_id: string): AuditDraft => ({
  ...actorOf(call, correlation_id),
  outcome: 'denied',
  entity: null,
  entity_id: null,
  idempotency_key: null,
  before_digest: null,
  after_digest: null,
  instruction_ref: null,
});
