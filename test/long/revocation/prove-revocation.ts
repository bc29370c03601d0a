import { setTimeout as sleep } from 'node:timers/promises';
import { listenTo } from '../../../packages/server/src/testing/event-client.ts';
import { createRandom, type Random } from '../../e2e/durability/random.ts';
import { bearer, send } from '../../e2e/http.ts';
import { addProjects, SERVERS, type TwoServers } from '../../e2e/two-servers/two-servers.ts';
import { createWriter } from '../replay/write-changes.ts';
import { CASES, type Case, type Victim } from './cases.ts';

export interface RevocationRun {
  readonly seed: number;
  readonly rounds: number;
  /** How many requests each round sends after the revocation was answered. */
  readonly requests: number;
}

interface Counted {
  readonly faults: string[];
  requests: number;
  passed: number;
  /** How long the slowest stream stayed open. */
  slowest_stream_ms: number;
}

export interface RevocationVerdict extends Readonly<Counted> {
  readonly changes: number;
}

const PROJECTS = 3;
const AT_ONCE = 8;
/** From one address a server takes sixty wrong tokens in a minute, and then answers 429 without a look at them. */
const PER_ADDRESS = 40;
const PER_NET = 250;
const STREAM_ENDS_WITHIN_MS = 5_000;

/** Makes a function that sends one call and resolves with its status. */
function createAsking(random: Random) {
  let asked = 0;

  return async (origin: string, { token, read, write }: Victim, from?: string): Promise<number> => {
    const [tool, args] = random.pick([read, write]);
    const address = Math.floor(asked++ / PER_ADDRESS);
    const local_address = from ?? `127.9.${Math.floor(address / PER_NET)}.${1 + (address % PER_NET)}`;
    const headers = { ...bearer(token), 'content-type': 'application/json' };
    const body = JSON.stringify(args);
    return (await send(origin, { path: `/api/v1/tools/${tool}`, headers, body, local_address })).status;
  };
}

interface Ending {
  readonly servers: TwoServers;
  readonly random: Random;
  readonly ask: ReturnType<typeof createAsking>;
  readonly counted: Counted;
}

/** Ends the tokens of a case, and asks with them on both servers from the answer on. */
async function endOne({ servers, random, ask, counted }: Ending, { name, victims, end }: Case, requests: number) {
  const origins = SERVERS.map((at) => servers.origin(at) ?? '');
  const fault = (text: string): void => void counted.faults.push(`${name}: ${text}`);
  // Both servers know the tokens by now.
  for (const origin of origins)
    for (const victim of victims) {
      const status = await ask(origin, victim, '127.0.0.1');
      if (status >= 300) fault(`${status} before its end`);
    }
  const streams = await Promise.all(
    origins.flatMap((origin) => victims.map(({ token }) => listenTo(origin, { token }))),
  );
  const busy = Array.from({ length: AT_ONCE }, () => ask(random.pick(origins), random.pick(victims)));

  await servers.askAt(random.pick(SERVERS), ...end);
  const ended_at = performance.now();
  const closing = streams.map(async ({ closed, cut }) => {
    const ended = await Promise.race([closed, sleep(STREAM_ENDS_WITHIN_MS, null, { ref: false })]);
    if (ended === null) fault(`a stream is open after ${STREAM_ENDS_WITHIN_MS} ms`);
    cut();
    counted.slowest_stream_ms = Math.max(counted.slowest_stream_ms, performance.now() - ended_at);
  });
  let left = requests;
  const asking = Array.from({ length: AT_ONCE }, async (_, i) => {
    while (left > 0) {
      left--;
      counted.requests++;
      const after_ms = performance.now() - ended_at;
      const status = await ask(origins[i % 2] ?? '', random.pick(victims));
      if (status === 401) continue;
      if (status < 300) counted.passed++;
      fault(`${status} on server ${i % 2}, asked ${after_ms.toFixed()} ms after its end`);
    }
  });
  await Promise.all([...asking, ...closing, ...busy]);
}

/** Ends tokens on one server while projects are written in, and asks with them on both from then on. */
export async function proveRevocation(servers: TwoServers, run: RevocationRun): Promise<RevocationVerdict> {
  const random = createRandom(run.seed);
  const projects = await addProjects(servers, PROJECTS);
  const writers = projects.map((project_id, i) =>
    createWriter(servers, { project_id, is_broad: false }, createRandom(run.seed + i + 1)),
  );
  let isOver = false;
  const writing = writers.map(({ write }) => write(() => isOver));
  const counted: Counted = { faults: [], requests: 0, passed: 0, slowest_stream_ms: 0 };
  const ask = createAsking(random);

  for (let round = 0; round < run.rounds; round++) {
    const made = await random.pick(CASES)(servers.ask, random.pick(projects), `Case ${round}`);
    await endOne({ servers, random, ask, counted }, made, run.requests);
  }
  isOver = true;
  await Promise.all(writing);
  const changes = writers.reduce((sum, writer) => sum + writer.changes.length, 0);
  const faults = [...counted.faults, ...writers.flatMap((writer) => writer.faults)];
  return { ...counted, faults, changes };
}
