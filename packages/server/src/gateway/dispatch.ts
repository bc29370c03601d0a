import { randomUUID } from 'node:crypto';
import type { Caller } from '#domain/caller';
import { ErrandError } from '#errors';
import type { Installation } from '#services/installation';
import type { Services } from '#services/services';
import type { Store, Transaction } from '#store/store';
import type { Tool } from '#tools/catalog';
import { type Admitted, admit, mustBeActive } from './admit.ts';
import { auditOf, DENIED, isDenial } from './audit.ts';
import { createAuthenticate } from './authenticate.ts';
import { converses, exchangeOf } from './exchange.ts';
import { fingerprint } from './fingerprint.ts';
import type { Call, CallRecord, Gateway, Outcome } from './gateway.ts';
import { createListing } from './listing.ts';
import { once } from './once.ts';
import { failure } from './outcome.ts';

interface Needs {
  readonly store: Store;
  readonly services: Services;
  readonly catalog: readonly Tool[];
  readonly installation: Installation;
  readonly allowAnonymous: boolean;
  /** Told of every call, for logs and metrics. */
  readonly observe: (record: CallRecord) => void;
  /** Told of a trail that could not be written. */
  readonly report: (error: unknown) => void;
}

/** The answer as JSON, exactly as the tool declared it: what it did not declare never leaves. */
const encode = (tool: Tool, output: unknown): string => JSON.stringify(tool.output.parse(output));

/** Every way in ends here: authorize, validate, run once, check the answer, audit, tell. */
export function createGateway({
  store,
  services,
  catalog,
  installation,
  allowAnonymous,
  observe,
  report,
}: Needs): Gateway {
  const { authenticate, passOf, recall, local } = createAuthenticate({
    reads: store.reads,
    tokens: services.tokens,
    installation,
    allowAnonymous,
  });

  // The casts hand the tool what its own file declared: `validate` has parsed the input, the effect has chosen the work.
  const runTool = ({ call: { tool, caller }, input, subject }: Admitted, tx: Store['reads']): Promise<unknown> =>
    tool.run({ input: input as never, work: { caller, subject, tx } as never, services });

  async function read(admitted: Admitted): Promise<string> {
    await mustBeActive(store.reads, admitted);
    const json = encode(admitted.call.tool, await runTool(admitted, store.reads));
    if (converses(admitted.call)) store.sayLater(exchangeOf(admitted, json));
    return json;
  }

  async function effect(tx: Transaction, admitted: Admitted, idempotency_key: string | null): Promise<string> {
    const { call, input, subject, correlation_id } = admitted;
    const output = await runTool(admitted, tx);
    const entity = call.tool.entity?.(input as never, output as never, subject);
    tx.record(
      auditOf(call, correlation_id, {
        outcome: 'ok',
        entity: entity?.kind ?? null,
        entity_id: entity?.id ?? null,
        idempotency_key,
      }),
    );
    return encode(call.tool, output);
  }

  async function write(tx: Transaction, admitted: Admitted): Promise<string> {
    const { call, input } = admitted;
    await mustBeActive(tx, admitted);
    const tool = call.tool.full_name;
    const key = (input.idempotency_key as string | undefined) ?? null;

    const run = (): Promise<string> => effect(tx, admitted, key);
    const json =
      key === null
        ? await run()
        : await once(tx, { caller: call.caller, tool, key, args_hash: fingerprint(tool, input) }, run);
    if (converses(call)) tx.say(exchangeOf(admitted, json));
    return json;
  }

  /** Writes down what a refusal leaves behind. */
  async function remember(
    call: Call,
    correlation_id: string,
    admitted: Admitted | null,
    error: ErrandError,
  ): Promise<void> {
    if (isDenial(error.code)) {
      await store.transaction(async (tx) => tx.record(auditOf(call, correlation_id, DENIED)));
    }
    if (admitted === null || error.code === 'database_error' || !converses(call)) return;
    // The refusal may be that there is no such user, and so no conversation to keep it in.
    await mustBeActive(store.reads, admitted);
    store.sayLater(exchangeOf(admitted, `error ${error.code}: ${error.message}`));
  }

  const perform = (admitted: Admitted): Promise<string> =>
    admitted.call.tool.effect === 'read' ? read(admitted) : store.transaction((tx) => write(tx, admitted));

  return {
    authenticate,
    passOf,
    recall,
    local: async (): Promise<Caller> => local,
    ...createListing(catalog),

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
        admitted = admit(call, correlation_id);
        const json = await perform(admitted);
        tell('ok');
        return { ok: true, json };
      } catch (thrown) {
        const outcome = failure(thrown, call.tool, correlation_id);
        const known = thrown instanceof ErrandError;
        tell(outcome.error.code, known ? thrown.cause : thrown);
        // The answer is already decided: a trail that cannot be written now must not turn it into another.
        if (known) await remember(call, correlation_id, admitted, thrown).catch(unlessRefused(report));
        return outcome;
      }
    },
  };
}

/** Passes on what went wrong, except that someone was refused once more. */
const unlessRefused =
  (report: (error: unknown) => void) =>
  (error: unknown): void => {
    if (!(error instanceof ErrandError && error.code === 'unauthorized')) report(error);
  };
