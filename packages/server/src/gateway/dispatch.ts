import type { Caller } from '#domain/caller';
import { type ClientSessionLimits, DEFAULT_CLIENT_SESSION_LIMITS } from '#domain/client-session';
import { NotInLane } from '#domain/lane';
import { visibleJson } from '#domain/visible-text';
import { ErrandError, isDatabaseError } from '#errors';
import type { Installation } from '#services/installation';
import type { Services } from '#services/services';
import type { TaskerAdapter } from '#services/tasker/adapter';
import type { ReadWork } from '#services/work';
import type { Place, Store, Transaction } from '#store/store';
import type { Tool } from '#tools/catalog';
import { type Admitted, admit, type Settled } from './admit.ts';
import { auditOf, type Changes, createChanges, denialOf, isDenial } from './audit.ts';
import { createAuthenticate } from './authenticate.ts';
import type { Subject } from './authorize.ts';
import { createCarry } from './carry-messages.ts';
import { changeEvent, projectOfCall } from './change-event.ts';
import { createClientSessions } from './client-sessions.ts';
import { createDenials } from './denials.ts';
import { createEvents } from './events.ts';
import { converses, exchangeOf } from './exchange.ts';
import { createFollow } from './follow-run.ts';
import type { Answer, Call, CallRecord, Gateway, Outcome } from './gateway.ts';
import { createKeptAnswers, type Keeping } from './kept-answers.ts';
import { createLaneOf } from './lane-of.ts';
import { createListing } from './listing.ts';
import { invalidCall, loggedUser } from './named-user.ts';
import {
  type Answered,
  begin,
  createKeyTurns,
  finish,
  firstAnswer,
  type Keyed,
  keyedOf,
  once,
  release,
} from './once.ts';
import { failure } from './outcome.ts';
import { createResolve } from './resolve-ids.ts';
import { createSessionVisits } from './session-visits.ts';
import { createSettle } from './settle-subject.ts';
import { taskVisibility } from './task-visibility.ts';
import { changeWork, readWork } from './work-of.ts';

interface Needs {
  readonly store: Store;
  readonly services: Services;
  readonly catalog: readonly Tool[];
  readonly installation: Installation;
  /** The tracker that holds the work items. */
  readonly tracker: Pick<TaskerAdapter, 'is_local'>;
  readonly allowAnonymous: boolean;
  readonly client_session_limits?: ClientSessionLimits;
  readonly clock: () => number;
  /** Ids that nobody can guess: of calls without one, of changes elsewhere and of this server. */
  readonly randomId: () => string;
  /** Called for every request of an agent, also one that calls no tool. */
  readonly sawAgent: (agent_id: string) => void;
  /** Called for every call, for logs and metrics. */
  readonly observe: (record: CallRecord, client: Call['client']) => void;
  /** Called with the error when an audit entry or an event could not be written. */
  readonly report: (error: unknown) => void;
}

/** What a call that writes was given before its transaction. */
interface Given {
  readonly keyed: Keyed | null;
  readonly prepared: unknown;
  /** The lane that it runs in; undefined when it runs alone. */
  readonly lane?: string;
}

/** The answer as JSON. Fields that the tool did not declare are dropped, and invisible characters are removed. */
const encode = (tool: Tool, output: unknown): string => visibleJson(JSON.stringify(tool.output.parse(output)));

/** Writes the audit entry of a change, and the event for listeners. */
async function leaveTrail(tx: Transaction, admitted: Settled, output: unknown, changes: Changes): Promise<void> {
  const { tool } = admitted.call;
  const entry = auditOf(admitted, output, changes);
  // `next_task` is polled. Do not audit a call that found nothing.
  if (tool.entity !== null && entry.entity === null) return;
  tx.record(entry);
  if (entry.entity === null || tool.event === 'own') return;
  if (tool.effect === 'update' && changes.isEmpty()) return;
  const project = await projectOfCall(tx, admitted, changes);
  tx.emit(changeEvent(admitted, { kind: entry.entity, id: entry.entity_id }, project));
}

/** The lane of a call, and what it looks up there first. */
const inLane = (lane: string, { named }: Admitted, keyed: Keyed | null): Place => ({
  lane,
  ...(keyed !== null && { key: { principal_id: keyed.principal_id, key: keyed.key } }),
  ...(typeof named === 'string' && { user: named }),
});

/** Every transport ends here: authorize, validate, run once, check the answer, audit, send the event. */
export function createGateway({
  store,
  services,
  catalog,
  installation,
  tracker,
  allowAnonymous,
  client_session_limits = DEFAULT_CLIENT_SESSION_LIMITS,
  clock,
  randomId,
  sawAgent,
  observe,
  report,
}: Needs): Gateway {
  const { local, ...authentication } = createAuthenticate({
    reads: store.reads,
    tokens: services.tokens,
    installation,
    allowAnonymous,
    sawAgent,
  });
  const settle = createSettle({ store, appUsers: services.appUsers });
  const withIds = createResolve(tracker);
  const laneOf = createLaneOf(store, withIds);
  const keyTurns = createKeyTurns();
  const keepingOf = createKeptAnswers(store.version);
  const carry = createCarry({ ...store, clock, report });
  const denials = createDenials({ transaction: store.transaction, clock, report });

  // The casts restore the tool's own types: `validate` has parsed the input, and the effect has chosen the work.
  const runTool = ({ call: { tool }, input }: Settled, work: ReadWork, prepared?: unknown): Promise<unknown> =>
    tool.run({ input: input as never, work: work as never, services, prepared: prepared as never });

  /** What the tool reads before its transaction, so that no other writer waits for it. */
  async function prepare(admitted: Admitted): Promise<unknown> {
    const { tool } = admitted.call;
    if (tool.prepare === null) return undefined;
    const settled = await withIds(store.reads, await settle.outside(admitted));
    // As in `runTool`.
    return tool.prepare({ input: settled.input as never, work: readWork(settled, store.reads), services });
  }

  async function read(admitted: Admitted, keeping: Keeping | null): Promise<Answer> {
    const settled = await withIds(store.reads, await settle.outside(admitted));
    const json = encode(admitted.call.tool, await runTool(settled, readWork(settled, store.reads)));
    const exchange = converses(admitted.call) ? exchangeOf(settled, json) : null;
    if (exchange !== null) store.sayLater(exchange);
    return keeping === null ? { ok: true, json } : keeping.keep({ json, exchange, named: admitted.named });
  }

  async function effect(tx: Transaction, admitted: Settled, { keyed, prepared, lane }: Given): Promise<Answered> {
    const changes = createChanges();
    const work = changeWork(admitted, { tx, keyed, changes, randomId, transaction: (run) => run(tx) });
    const output = await runTool(admitted, work, prepared);
    const project = changes.project();
    // Found before the transaction: by now the task may be in another project, whose writers this one does not wait for.
    if (lane !== undefined && project !== null && project !== lane) {
      throw new NotInLane(`The call is in ${project}, not in ${lane}.`);
    }
    await leaveTrail(tx, admitted, output, changes);
    return { json: encode(admitted.call.tool, output), project_id: changes.project() };
  }

  async function recheck(tx: Transaction, admitted: Settled, keyed: Keyed): Promise<void> {
    const { tool } = admitted.call;
    if (tool.recheck === null) return;
    const work = changeWork(admitted, { tx, keyed, changes: createChanges(), randomId, transaction: (run) => run(tx) });
    // As in `runTool`.
    await tool.recheck({ input: admitted.input as never, work: work as never, services });
  }

  /** Without an await where nothing is prepared: calls join the next transaction in the order in which they came. */
  function write(admitted: Admitted, keyed: Keyed | null): Promise<string> {
    const inOne = (prepared?: unknown): Promise<string> => {
      const lane = laneOf(admitted);
      const alone = (): Promise<string> => store.transaction((tx) => writeIn(tx, admitted, { keyed, prepared }));
      const within = async (name: string): Promise<string> => {
        const given = { keyed, prepared, lane: name };
        try {
          return await store.transaction((tx) => writeIn(tx, admitted, given), inLane(name, admitted, keyed));
        } catch (error) {
          if (error instanceof NotInLane) return alone();
          throw error;
        }
      };
      if (lane === null) return alone();
      if (typeof lane === 'string') return within(lane);
      return lane.then((found) => (found === null ? alone() : within(found)));
    };
    return admitted.call.tool.prepare === null ? inOne() : prepare(admitted).then(inOne);
  }

  async function writeIn(tx: Transaction, admitted: Admitted, given: Given): Promise<string> {
    const { keyed } = given;
    const found = keyed && firstAnswer(tx, keyed);
    const settled = await withIds(tx, await settle.inTransaction(tx, admitted));
    if (keyed !== null) await recheck(tx, settled, keyed);
    const run = (): Promise<Answered> => effect(tx, settled, given);
    const json = keyed === null || found === null ? (await run()).json : await once(tx, keyed, { found, run });
    if (converses(admitted.call)) tx.say(exchangeOf(settled, json));
    return json;
  }

  /** The effect is in another system, or waits for a worker or a person: our own records are written before and after it. */
  async function writeElsewhere(admitted: Admitted, keyed: Keyed | null): Promise<string> {
    const prepared = await prepare(admitted);
    const { settled, started } = await store.transaction(async (tx) => ({
      settled: await withIds(tx, await settle.inTransaction(tx, admitted)),
      started: keyed === null ? { at: tx.now } : await begin(tx, keyed, { joins: admitted.call.tool.outside }),
    }));
    if ('json' in started) return started.json;

    const changes = createChanges();
    const run = async () => {
      const work = changeWork(settled, { tx: store.reads, keyed, changes, randomId, transaction: store.transaction });
      const output = await runTool(settled, work, prepared);
      return { output, json: encode(admitted.call.tool, output) };
    };
    const { output, json } = await run().catch(async (error: unknown) => {
      // If the key cannot be released now, it expires later. The caller must get the first failure.
      if (keyed !== null) await store.transaction((tx) => release(tx, keyed, started.at)).catch(report);
      throw error;
    });

    await store.transaction(async (tx) => {
      await leaveTrail(tx, settled, output, changes);
      if (keyed !== null) await finish(tx, keyed, started.at, { json, project_id: changes.project() });
    });
    return json;
  }

  /** Writes the audit entry and the message of a refusal. */
  async function remember(
    call: Call,
    correlation_id: string,
    admitted: Admitted | null,
    error: ErrandError,
  ): Promise<void> {
    if (isDenial(call, error.code)) {
      await denials.note(denialOf(call, correlation_id, error.code));
    }
    if (isDatabaseError(error) || !converses(call)) return;
    const kept = admitted ?? (error.code === 'validation_error' ? invalidCall(call, correlation_id) : null);
    if (kept === null) return;
    // When the user does not exist, there is no conversation to store the message in.
    const settled = await settle.outside(kept);
    store.sayLater(exchangeOf(settled, `error ${error.code}: ${error.message}`));
  }

  function change(admitted: Admitted): Promise<string> {
    const { tool } = admitted.call;
    const keyed = keyedOf(admitted);
    const run = (): Promise<string> =>
      tool.outside || (tool.tracker && !tracker.is_local) ? writeElsewhere(admitted, keyed) : write(admitted, keyed);
    return tool.needs_key && keyed !== null ? keyTurns(store.reads, keyed, run) : run();
  }

  const dispatch = async (call: Call): Promise<Outcome> => {
    const started = performance.now();
    const began_at = clock();
    const correlation_id = call.correlation_id ?? randomId();
    let admitted: Admitted | null = null;
    let named: Subject | null = null;
    const tell = (outcome: string, error?: unknown): void =>
      observe(
        {
          tool: call.tool.full_name,
          transport: call.transport,
          ...loggedUser(call, named),
          agent_id: call.caller.agent_id,
          latency_ms: Math.round((performance.now() - started) * 1000) / 1000,
          outcome,
          correlation_id,
          ...(error !== undefined && { error }),
        },
        call.client,
      );

    try {
      const keeping = keepingOf(call);
      const kept = keeping?.kept;
      let answer: Answer;
      if (kept === undefined) {
        admitted = admit(call, correlation_id);
        named = admitted.named;
        answer =
          call.tool.effect === 'read' ? await read(admitted, keeping) : { ok: true, json: await change(admitted) };
      } else {
        named = kept.named;
        answer = kept.answer;
        if (kept.exchange !== null) store.sayLater(kept.exchange);
      }
      const taking = carry.take(call, answer.json, began_at);
      const messages = taking && (await taking);
      tell('ok');
      return messages === undefined ? answer : { ...answer, messages };
    } catch (thrown) {
      const outcome = failure(thrown, call.tool, correlation_id);
      const known = thrown instanceof ErrandError;
      // The store logs once that the database fails. A stack for every call would hide that line.
      tell(outcome.error.code, known ? (isDatabaseError(thrown) ? undefined : thrown.cause) : thrown);
      // The outcome is decided: a failed audit write must not change it.
      if (known) await remember(call, correlation_id, admitted, thrown).catch(unlessRefused(report));
      return outcome;
    }
  };

  const withdraw = async (call: Call): Promise<Outcome | null> => {
    const correlation_id = call.correlation_id ?? randomId();
    try {
      const keyed = keyedOf(admit(call, correlation_id));
      // Once the key is reserved here, the call itself is refused, even if it is on its way.
      const begun = keyed && (await store.transaction((tx) => begin(tx, keyed)));
      return begun !== null && 'json' in begun ? { ok: true, json: begun.json } : null;
    } catch (thrown) {
      return failure(thrown, call.tool, correlation_id);
    }
  };

  const listing = createListing(catalog);
  return {
    ...authentication,
    local: async (): Promise<Caller> => local,
    knowsSignInKey: (key) => services.signIns.isKnown(store.reads, local.workspace_id, key),
    hasPasswords: () => store.reads.passwords.exist(local.workspace_id),
    sawSession: createSessionVisits({ ...store, clock, report: unlessRefused(report) }),
    ...taskVisibility,
    ...listing,
    events: createEvents({ ...store, clock, report }),
    client_sessions: createClientSessions({ store, limits: client_session_limits, server_id: randomId(), report }),
    dispatch,
    close: async () => {
      await Promise.all([denials.close(), carry.close()]);
    },
    withdraw,
    ...createFollow({ ...store, ...listing, dispatch, randomId }),
  };
}

/** Reports the error, unless it is another refusal: the user is not active, or could not be added. */
const unlessRefused =
  (report: (error: unknown) => void) =>
  (error: unknown): void => {
    if (!(error instanceof ErrandError && REFUSALS.has(error.code))) report(error);
  };

const REFUSALS: ReadonlySet<string> = new Set(['unauthorized', 'conflict']);
