import type { AuditDraft } from '#domain/audit';
import { kindNamedBy, type ProjectId } from '#domain/ids';
import { isStorable, withoutCredentials } from '#domain/text';
import type { User } from '#domain/user';
import { visible } from '#domain/visible-text';
import type { Tool } from '#tools/catalog';
import type { Admitted, Settled } from './admit.ts';
import { digest, digestWithout } from './fingerprint.ts';
import type { Call } from './gateway.ts';

const DENIALS: ReadonlySet<string> = new Set([
  'unauthorized',
  'insufficient_scope',
  'project_not_granted',
  'move_not_granted',
  'membership_managed_externally',
]);

/** Whether a refusal is audited: the caller asked for something that is not theirs, or that does not exist for them. */
export const isDenial = ({ tool }: Call, code: string): boolean =>
  DENIALS.has(code) || (tool.by_project && code === 'not_found');

/** Collects, while a call runs, what the call is about and what it changed. */
export interface Changes {
  readonly enter: (project: ProjectId) => void;
  /** The last project that the call entered. */
  readonly project: () => ProjectId | null;
  readonly changed: (before: unknown, after: unknown) => void;
  /** Whether the call has changed nothing so far. */
  readonly isEmpty: () => boolean;
  readonly digests: () => Pick<AuditDraft, 'before_digest' | 'after_digest'>;
}

/** The number is given by the store when a row is inserted: the service that made the row does not know it. */
const GIVEN_BY_STORE = 'number';

/** One thing by itself, several as a list, none as null. */
function digestOf(things: readonly unknown[]): string | null {
  const some = things.filter((thing) => thing !== null);
  return some.length === 0 ? null : digestWithout(GIVEN_BY_STORE, some);
}

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
    isEmpty: () => befores.length === 0,
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
  { call, input, subject, correlation_id }: Settled,
  output: unknown,
  changes: Changes,
): AuditDraft {
  // Both were parsed with the tool's own schemas; only its file knows their types.
  const entity = call.tool.entity?.(input as never, output as never, subject);
  const { idempotency_key = null, instruction_ref = null } = input as Record<string, string | undefined>;
  return {
    ...actorOf(call, correlation_id),
    outcome: 'ok',
    entity: entity?.kind ?? null,
    entity_id: entity?.id ?? null,
    idempotency_key,
    ...changes.digests(),
    instruction_ref: instruction_ref && withoutCredentials(visible(instruction_ref)),
    reason: null,
    repeats: null,
  };
}

/** The entry of an app's user whom a call has named for the first time. */
export const appUserAdded = ({ call, correlation_id }: Admitted, user: User): AuditDraft => ({
  ...actorOf(call, correlation_id),
  outcome: 'ok',
  entity: 'user',
  entity_id: user.id,
  idempotency_key: null,
  before_digest: null,
  after_digest: digest(user),
  instruction_ref: null,
  reason: null,
  repeats: null,
});

const MAX_ID_CHARACTERS = 64;
const MAX_KEY_CHARACTERS = 200;

/** A field of unchecked arguments, shortened for the trail. */
function textIn(input: unknown, field: string | undefined, most: number): string | null {
  if (typeof input !== 'object' || input === null || field === undefined) return null;
  const value: unknown = Reflect.get(input, field);
  return typeof value === 'string' && value.length <= most && isStorable(value) ? withoutCredentials(value) : null;
}

/** The field with the subject of a call: the last parameter of its path, else a card, else the project. */
function targetOf({ route, project }: Tool, input: unknown): string | undefined {
  const named = [...route.matchAll(/\{(\w+)\}/g)].at(-1)?.[1];
  if (named !== undefined) return named;
  return textIn(input, 'issue_id', MAX_ID_CHARACTERS) === null ? (project ?? undefined) : 'issue_id';
}

/** The kind of thing that a field of a tool names: that of its id, or else what the field is called. */
function kindOf({ input }: Tool, field: string): string {
  const schema = input.shape[field];
  return (schema && kindNamedBy(schema)) ?? field.replace(/_id$/, '');
}

/** The entry of a refused call, with the subject it asked for. */
export function denialOf(call: Call, correlation_id: string, reason: string): AuditDraft {
  const target = targetOf(call.tool, call.input);
  const entity_id = textIn(call.input, target, MAX_ID_CHARACTERS);
  return {
    ...actorOf(call, correlation_id),
    outcome: 'denied',
    entity: entity_id === null || target === undefined ? null : kindOf(call.tool, target),
    entity_id,
    idempotency_key: textIn(call.input, 'idempotency_key', MAX_KEY_CHARACTERS),
    before_digest: null,
    after_digest: null,
    instruction_ref: null,
    reason,
    repeats: null,
  };
}
