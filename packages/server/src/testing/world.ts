import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type BudgetsConfig, NO_BUDGETS } from '#domain/budget';
import type { Caller } from '#domain/caller';
import type { ClientSessionLimits } from '#domain/client-session';
import type { NewId } from '#domain/ids';
import { DEFAULT_LIMITS, type Limits } from '#domain/limits';
import { isFault } from '#errors';
import { createGateway } from '#gateway/dispatch';
import type { CallRecord, Gateway, Outcome, WireError } from '#gateway/gateway';
import { worded } from '#gateway/outcome';
import { createCallHistory } from '#observability/call-history';
import { createQueueHistory } from '#observability/queue-history';
import { createCursors } from '#services/cursors';
import { ensureInstallation } from '#services/installation';
import { createServices } from '#services/services';
import type { ProjectSource, TaskerAdapter } from '#services/tasker/adapter';
import { localTracker } from '#services/tasker/local-tracker';
import { openMemoryStore } from '#store/memory/open-memory-store';
import type { Store } from '#store/store';
import { catalog, type Tool, WAITING } from '#tools/catalog';

/** Makes predictable ids: the first is …000001. */
export function countedIds(): NewId {
  let count = 0;
  return <Id extends string>() => {
    count++;
    // As those of `createUuidV7`.
    return `00000000-0000-7000-8000-${count.toString().padStart(12, '0')}` as Id;
  };
}

export type Answer =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | { readonly ok: false; readonly error: WireError };

const answerOf = (outcome: Outcome): Answer =>
  outcome.ok
    ? { ok: true, value: JSON.parse(outcome.json) as Record<string, unknown> }
    : { ok: false, error: worded(outcome.error) };

/** The whole product in memory, with a clock that only the test advances. */
export async function createWorld({
  allowAnonymous = false,
  tools = catalog,
  limits = {},
  budgets = NO_BUDGETS,
  tracker: { projects, ...tracker } = {},
  client_session_limits,
  open = openMemoryStore,
  clock,
}: {
  /** Opens the store: in memory unless given. */
  open?: typeof openMemoryStore;
  /** The machine's clock instead of one that the test advances. */
  clock?: () => number;
  allowAnonymous?: boolean;
  client_session_limits?: ClientSessionLimits;
  tools?: readonly Tool[];
  limits?: Partial<Limits>;
  budgets?: BudgetsConfig;
  /** Replaces parts of Errand's own tracker. */
  tracker?: Partial<TaskerAdapter & ProjectSource>;
} = {}) {
  const time = { now: Date.parse('2026-01-01T00:00:00.000Z') };
  const now = clock ?? ((): number => time.now);
  const ids = countedIds();
  const store = await open({ clock: now, ids });
  const installation = await ensureInstallation(store, ids, 'owner');
  const adapter: TaskerAdapter = { ...localTracker({ ids }), ...tracker };
  let pauses = 0;
  const history = createCallHistory(now, { waiting: WAITING, isFault });
  const queues = createQueueHistory(now);
  const ports = {
    ids,
    clock: now,
    pause: async (ms: number, signal?: AbortSignal) => {
      pauses += 1;
      await setTimeout(ms, undefined, signal && { signal }).catch(() => undefined);
      pauses -= 1;
    },
    watch: store.watch,
    cursors: createCursors(installation.cursor_secret),
    version: '9.9.9',
    calls: history,
    server: {
      tools: tools.length,
      events: () => ({
        listeners: gateway.events.listeners(),
        backlog: gateway.events.backlog(),
        lag_ms: gateway.events.lag(),
      }),
      disk: () => null,
      queued: queues.queued,
      firstSize: queues.firstSize,
    },
    password_cost: { N: 1_024, r: 8, p: 1 },
    limits: { ...DEFAULT_LIMITS, ...limits },
    budgets,
    isFolder: (path: string) => /^\/(repos|folders)\//.test(path),
    isRepository: (path: string) => path.startsWith('/repos/'),
    hasCommits: (path: string) => !path.endsWith('-empty'),
    headBranch: (path: string) => (path.endsWith('-old') ? 'master' : null),
  };
  const services = createServices(ports, adapter, projects === undefined ? null : { projects });
  const calls: CallRecord[] = [];
  const openGateway = (on: Store = store): Gateway =>
    createGateway({
      store: on,
      services,
      catalog: tools,
      installation,
      tracker: adapter,
      allowAnonymous,
      clock: now,
      randomId: randomUUID,
      ...(client_session_limits && { client_session_limits }),
      sawAgent: history.saw,
      observe: (record, client) => {
        history.add(record, client);
        calls.push(record);
      },
      report: (error) => {
        throw error;
      },
    });
  const gateway = openGateway();
  const owner = await gateway.local();

  const call = async (name: string, input: unknown, caller: Caller = owner): Promise<Answer> => {
    const tool = gateway.find(name, 'all');
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return answerOf(await gateway.dispatch({ caller, tool, input, transport: 'rest' }));
  };

  /** Returns the answer of a call that must succeed. */
  const ask = async (name: string, input: unknown, caller?: Caller): Promise<Record<string, unknown>> => {
    const answer = await call(name, input, caller);
    if (!answer.ok) throw new Error(`${name}: ${answer.error.code}: ${answer.error.message}`);
    return answer.value;
  };

  /** Returns the error of a call that must fail. */
  const refuse = async (name: string, input: unknown, caller?: Caller): Promise<WireError> => {
    const answer = await call(name, input, caller);
    if (answer.ok) throw new Error(`${name} succeeded: ${JSON.stringify(answer.value)}`);
    return answer.error;
  };

  const addUser = async (name: string): Promise<string> => (await ask('admin_add_user', { name })).user_id as string;

  const token = (fields: Record<string, unknown>): Promise<Record<string, unknown>> =>
    ask('admin_create_token', { kind: 'user', name: 'test', scopes: ['todo:read', 'todo:write'], ...fields });

  return {
    time,
    /** How long a worker of a test is trusted without a word: a busy machine may take minutes for a test. */
    lease_ms: clock === undefined ? 30_000 : 3_600_000,
    ids,
    store,
    services,
    budgets,
    gateway,
    /** How many calls are waiting. */
    waiting: () => pauses,
    /** Opens another gateway on the same store, as another process would. */
    openGateway,
    installation,
    owner,
    calls,
    /** How many runs waited and how large the database was, minute by minute. */
    queues,
    call,
    ask,
    refuse,
    addUser,
    token,
    /** Creates a token with these fields and returns its caller. */
    callerWith: async (fields: Record<string, unknown>): Promise<Caller> =>
      gateway.authenticate((await token(fields)).token as string),
    [Symbol.asyncDispose]: async () => {
      await gateway.close();
      await store.close();
    },
  };
}

export type World = Awaited<ReturnType<typeof createWorld>>;
