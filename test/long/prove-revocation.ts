import { listenTo } from '../../packages/server/src/testing/event-client.ts';
import { createRandom, type Random } from '../e2e/durability/random.ts';
import { bearer, send } from '../e2e/http.ts';
import { addProjects, type Fields, SERVERS, type TwoServers } from '../e2e/two-servers/two-servers.ts';
import { createWriter } from './replay/write-changes.ts';

export interface RevocationRun {
  readonly seed: number;
  readonly rounds: number;
  /** How many requests each round sends after the revocation was answered. */
  readonly requests: number;
}

export interface RevocationVerdict {
  readonly faults: readonly string[];
  readonly requests: number;
  readonly passed: number;
  /** How long the slowest stream stayed open. */
  readonly slowest_stream_ms: number;
  readonly changes: number;
}

/** A token that is about to stop working, with two calls that it may make. */
interface Victim {
  readonly token: string;
  readonly read: readonly [string, object];
  readonly write: readonly [string, object];
}

interface Case {
  readonly name: string;
  readonly victims: readonly Victim[];
  /** Calls a tool that ends all of these tokens. */
  readonly end: readonly [string, object];
}

const PROJECTS = 3;
const BOARD = ['board:read', 'board:write'];
const TODO = ['todo:read', 'todo:write'];
const AT_ONCE = 8;
/** From one address a server takes sixty wrong tokens in a minute, and then answers 429 without a look at them. */
const PER_ADDRESS = 40;
const STREAM_ENDS_WITHIN_MS = 5_000;

const onProject = (token: unknown, project_id: string): Victim => ({
  token: String(token),
  read: ['list_tasks', { project_id }],
  write: ['create_task', { project_id, title: 'After the end' }],
});
const onTodos = (token: unknown): Victim => ({
  token: String(token),
  read: ['todo_list_tasks', { user_id: 'me' }],
  write: ['todo_add_task', { user_id: 'me', title: 'After the end' }],
});

type Make = (ask: TwoServers['ask'], project_id: string, name: string) => Promise<Case>;

const anAgent = (ask: TwoServers['ask'], project_id: string, more: object): Promise<Fields> =>
  ask('admin_create_agent', { scopes: BOARD, project_ids: [project_id], ...more });

const CASES: readonly Make[] = [
  async (ask, _, name) => {
    const { token_id, token } = await ask('admin_create_token', { kind: 'user', name, scopes: TODO });
    return { name: 'revoked token', victims: [onTodos(token)], end: ['admin_revoke_token', { token_id }] };
  },
  async (ask, project_id, name) => {
    const { agent_id, token } = await anAgent(ask, project_id, { name });
    return {
      name: 'revoked agent',
      victims: [onProject(token, project_id)],
      end: ['admin_revoke_agent', { agent_id }],
    };
  },
  async (ask, project_id, name) => {
    const { user_id } = await ask('admin_add_user', { name });
    await ask('admin_add_member', { project_id, user_id, role: 'member' });
    const own = await ask('admin_create_token', { kind: 'user', name, scopes: TODO, user_id });
    const agent = await anAgent(ask, project_id, { name, owner_id: user_id });
    const victims = [onTodos(own.token), onProject(agent.token, project_id)];
    return { name: 'blocked owner', victims, end: ['admin_block_user', { user_id }] };
  },
];

const createAsking = (random: Random) => {
  let asked = 0;
  /** Sends one call. Resolves with its status. */
  return async (origin: string, { token, read, write }: Victim, from?: string): Promise<number> => {
    const [tool, args] = random.next() < 0.5 ? read : write;
    const local_address =
      from ?? `127.9.${Math.floor(asked / PER_ADDRESS / 250)}.${1 + (Math.floor(asked / PER_ADDRESS) % 250)}`;
    asked++;
    const headers = { ...bearer(token), 'content-type': 'application/json' };
    const { status } = await send(origin, {
      path: `/api/v1/tools/${tool}`,
      headers,
      body: JSON.stringify(args),
      local_address,
    });
    return status;
  };
};

/** Ends tokens on one server while projects are written in, and asks with them on both from then on. */
export async function proveRevocation(servers: TwoServers, run: RevocationRun): Promise<RevocationVerdict> {
  const random = createRandom(run.seed);
  const projects = await addProjects(servers, PROJECTS);
  const writers = projects.map((project_id, i) =>
    createWriter(servers, { project_id, is_broad: false }, createRandom(run.seed + i + 1)),
  );
  let isOver = false;
  const writing = writers.map(({ write }) => write(() => isOver));
  const origins = ([0, 1] as const).map((at) => servers.origin(at) ?? '');
  const ask = createAsking(random);
  const faults: string[] = [];
  let requests = 0;
  let passed = 0;
  let slowest_stream_ms = 0;

  for (let round = 0; round < run.rounds; round++) {
    const make = random.pick(CASES);
    const { name, victims, end } = await make(servers.ask, projects[round % PROJECTS] ?? '', `Case ${round}`);
    // Both servers know the tokens by now.
    for (const origin of origins)
      for (const victim of victims) {
        const status = await ask(origin, victim, '127.0.0.1');
        if (status >= 300) faults.push(`${name}: ${status} before its end`);
      }
    const streams = await Promise.all(
      origins.flatMap((origin) => victims.map(({ token }) => listenTo(origin, { token }))),
    );
    const busy = Array.from({ length: AT_ONCE }, (_, i) => ask(origins[i % 2] ?? '', random.pick(victims)));

    await servers.askAt(random.pick(SERVERS), ...end);
    const ended_at = performance.now();
    const closing = streams.map(async ({ closed, cut }) => {
      const late = setTimeout(() => {
        faults.push(`${name}: a stream is open after ${STREAM_ENDS_WITHIN_MS} ms`);
        cut();
      }, STREAM_ENDS_WITHIN_MS);
      await closed;
      clearTimeout(late);
      slowest_stream_ms = Math.max(slowest_stream_ms, performance.now() - ended_at);
    });
    let left = run.requests;
    const asking = Array.from({ length: AT_ONCE }, async (_, i) => {
      for (; left > 0; ) {
        left--;
        requests++;
        const started = performance.now();
        const victim = random.pick(victims);
        const status = await ask(origins[i % 2] ?? '', victim);
        if (status === 401) continue;
        if (status < 300) passed++;
        faults.push(`${name}: ${status} on server ${i % 2}, asked ${(started - ended_at).toFixed()} ms after its end`);
      }
    });
    await Promise.all([...asking, ...closing, ...busy]);
  }
  isOver = true;
  await Promise.all(writing);
  faults.push(...writers.flatMap((writer) => writer.faults));
  const changes = writers.reduce((sum, writer) => sum + writer.changes.length, 0);
  return { faults, requests, passed, slowest_stream_ms, changes };
}
