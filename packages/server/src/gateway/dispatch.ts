import { randomUUID } from 'node:crypto';
import type { AuditDraft } from '#domain/audit';
import type { Caller } from '#domain/caller';
import type { UserId } from '#domain/ids';
import { redact } from '#domain/text';
import { ErrandError } from '#errors';
import type { Installation } from '#services/installation';
import type { Services } from '#services/services';
import type { Store, Transaction } from '#store/store';
import type { Tool } from '#tools/catalog';
import { PROFILES, type ProfileName } from '#tools/profiles';
import { createAuthenticate } from './authenticate.ts';
import { authorizeSubject, authorizeTool, mayCall } from './authorize.ts';
import { fingerprint } from './fingerprint.ts';
import type { Call, CallRecord, Gateway, Outcome } from './gateway.ts';
import { once } from './once.ts';
import { failure } from './outcome.ts';
import { validate } from './validate.ts';

interface Needs {
  readonly store: Store;
  readonly services: Services;
  readonly catalog: readonly Tool[];
  readonly installation: Installation;
  readonly allowAnonymous: boolean;
  /** Told of every call, for logs and metrics. */
  readonly observe: (record: CallRecord) => void;
}

/** A call that has passed the checks. */
interface Admitted {
  readonly call: Call;
  readonly input: Record<string, unknown>;
  readonly subject: UserId;
  readonly correlation_id: string;
}

const DENIALS: ReadonlySet<string> = new Set(['unauthorized', 'insufficient_scope', 'project_not_granted']);

/** The answer as JSON, exactly as the tool declared it: what it did not declare never leaves. */
const encode = (tool: Tool, output: unknown): string => JSON.stringify(tool.output.parse(output));

function auditOf(
  call: Call,
  correlation_id: string,
  rest: Pick<AuditDraft, 'outcome' | 'entity' | 'entity_id' | 'idempotency_key'>,
): AuditDraft {
  const { caller, tool } = call;
  return {
    workspace_id: caller.workspace_id,
    actor_kind: caller.kind,
    user_id: caller.user_id,
    agent_id: caller.agent_id,
    token_id: caller.token_id,
    action: tool.full_name,
    correlation_id,
    ...rest,
  };
}

/** Every way in ends here: authorize, validate, run once, check the answer, audit, tell. */
export function createGateway({ store, services, catalog, installation, allowAnonymous, observe }: Needs): Gateway {
  const { authenticate, local } = createAuthenticate({
    reads: store.reads,
    tokens: services.tokens,
    installation,
    allowAnonymous,
  });

  const byName = new Map<string, Tool>();
  for (const tool of catalog) {
    byName.set(`all/${tool.full_name}`, tool);
    byName.set(`${tool.profile}/${tool.name}`, tool);
  }
  const lists = new Map<string, readonly Tool[]>();

  // What agents do for a user belongs to their conversation; what people look at on a page does not.
  const converses = ({ tool, transport }: Call): boolean =>
    PROFILES[tool.profile].converses && tool.mcp && transport !== 'web';

  const exchange = ({ call, input, subject }: Admitted, answer: string) => {
    const { user_id: _, idempotency_key: __, ...args } = input;
    return {
      workspace_id: call.caller.workspace_id,
      user_id: subject,
      messages: [
        { role: 'user' as const, content: redact(`${call.tool.name} ${JSON.stringify(args)}`) },
        { role: 'assistant' as const, content: redact(answer) },
      ],
    };
  };

  async function read(admitted: Admitted): Promise<string> {
    const { call, input, subject } = admitted;
    const work = { caller: call.caller, subject, tx: store.reads };
    return encode(call.tool, await call.tool.run({ input: input as never, work: work as never, services }));
  }

  async function write(tx: Transaction, admitted: Admitted): Promise<string> {
    const { call, input, subject, correlation_id } = admitted;
    const { tool, caller } = call;
    const key = (input.idempotency_key as string | undefined) ?? null;

    const effect = async (): Promise<string> => {
      const work = { caller, subject, tx };
      const output = await tool.run({ input: input as never, work: work as never, services });
      const entity = tool.entity?.(input as never, output as never);
      tx.record(
        auditOf(call, correlation_id, {
          outcome: 'ok',
          entity: entity?.kind ?? null,
          entity_id: entity?.id ?? null,
          idempotency_key: key,
        }),
      );
      return encode(tool, output);
    };

    const json =
      key === null
        ? await effect()
        : (await once(tx, { caller, tool: tool.full_name, key, args_hash: fingerprint(tool.full_name, input) }, effect))
            .json;
    if (converses(call)) tx.say(exchange(admitted, json));
    return json;
  }

  async function refused(
    call: Call,
    correlation_id: string,
    admitted: Admitted | null,
    thrown: unknown,
  ): Promise<void> {
    if (!(thrown instanceof ErrandError)) return;
    if (admitted !== null && converses(call) && thrown.code !== 'database_error') {
      store.sayLater(exchange(admitted, `error ${thrown.code}: ${thrown.message}`));
    }
    if (!DENIALS.has(thrown.code)) return;
    const rest = { outcome: 'denied', entity: null, entity_id: null, idempotency_key: null } as const;
    await store.transaction(async (tx) => tx.record(auditOf(call, correlation_id, rest)));
  }

  // The token has vouched for its own user; anyone else it names must be there, or their conversation could not be kept.
  async function mustBeActive(caller: Caller, subject: UserId): Promise<void> {
    if (subject === caller.user_id) return;
    const user = await store.reads.users.find(caller.workspace_id, subject);
    if (user?.status === 'active') return;
    throw new ErrandError('unauthorized', 'user_id names no active user of this workspace.', {
      hint: 'Ask whom this is for, or use "me".',
    });
  }

  const run = async (call: Call, correlation_id: string, admit: (admitted: Admitted) => void): Promise<string> => {
    const { caller, tool } = call;
    if (caller.fault !== null) throw caller.fault;
    authorizeTool(caller, tool);
    const input = validate(tool, call.input);
    const subject = authorizeSubject(caller, tool.subject === null ? undefined : input[tool.subject]);
    await mustBeActive(caller, subject);
    const admitted = { call, input, subject, correlation_id };
    admit(admitted);

    if (tool.effect !== 'read') return store.transaction((tx) => write(tx, admitted));
    const json = await read(admitted);
    if (converses(call)) store.sayLater(exchange(admitted, json));
    return json;
  };

  return {
    authenticate,
    local: async () => local,

    visible: (caller: Caller, profile: ProfileName | 'all') => {
      if (caller.fault !== null) throw caller.fault;
      const key = `${profile} ${caller.scope_key}`;
      const known = lists.get(key);
      if (known !== undefined) return known;
      const tools = catalog.filter((tool) => (profile === 'all' || tool.profile === profile) && mayCall(caller, tool));
      // Scopes are few, but their combinations are not: an unbounded map could be grown by minting tokens.
      if (lists.size >= 1_000) lists.clear();
      lists.set(key, tools);
      return tools;
    },

    find: (name, profile) => byName.get(`${profile}/${name}`),

    dispatch: async (call: Call): Promise<Outcome> => {
      const started = performance.now();
      const correlation_id = call.correlation_id ?? randomUUID();
      let admitted: Admitted | null = null;
      const tell = (outcome: string, error?: unknown): void =>
        observe({
          tool: call.tool.full_name,
          transport: call.transport,
          user_id: admitted?.subject ?? call.caller.user_id,
          agent_id: call.caller.agent_id,
          latency_ms: Math.round((performance.now() - started) * 1000) / 1000,
          outcome,
          correlation_id,
          ...(error !== undefined && { error }),
        });

      try {
        const json = await run(call, correlation_id, (passed) => {
          admitted = passed;
        });
        tell('ok');
        return { ok: true, json };
      } catch (thrown) {
        const outcome = failure(thrown, call.tool, correlation_id);
        tell(outcome.error.code, thrown instanceof ErrandError ? thrown.cause : thrown);
        // The answer is already decided: a trail that cannot be written now must not turn it into another.
        await refused(call, correlation_id, admitted, thrown).catch((error: unknown) => tell('audit_failed', error));
        return outcome;
      }
    },
  };
}
