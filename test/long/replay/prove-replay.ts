import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceivedEvent } from '../../../packages/server/src/testing/event-reader.ts';
import { createRandom } from '../../e2e/durability/random.ts';
import { addProjects, SERVERS, type TwoServers } from '../../e2e/two-servers/two-servers.ts';
import { followEvents } from './follow-events.ts';
import { openOutbox } from './hold-outbox.ts';
import { type Change, createWriter, type Writer } from './write-changes.ts';

export interface ReplayRun {
  readonly seed: number;
  readonly kills: number;
  readonly projects: number;
  readonly readers: number;
}

export interface ReplayVerdict {
  readonly faults: readonly string[];
  readonly changes: number;
  readonly kills: number;
  /** Kills after which something was committed and not yet numbered. */
  readonly left: number;
  readonly connections: number;
  readonly writers: readonly Writer[];
}

const WRITERS_EACH = 2;
const LAST_WITHIN_MS = 120_000;
const LOOK_MS = 20;
const HELD_ROWS = 4;
const MOST_FAULTS = 20;

/** How a kill is made: at any moment, between a commit and the numbering of its events, or of both servers. */
type Manner = 'anytime' | 'held' | 'both';
const MANNERS: readonly Manner[] = ['anytime', 'held', 'anytime', 'held', 'both'];

const entityOf = ({ data }: ReceivedEvent): string => String(data.entity_id);
const lineOf = ({ kind, entity_id }: Pick<Change, 'kind' | 'entity_id'>): string => `${kind} ${entity_id}`;

/** What a reader may not have heard: each answered change once, those of one client in their order, numbers without a gap. */
function faultsOf(heard: readonly ReceivedEvent[], writers: readonly Writer[]): readonly string[] {
  const faults = heard.filter(({ kind }) => kind === 'reset').map(({ data }) => `reset: ${JSON.stringify(data)}`);
  const changes = heard.filter(({ kind }) => kind !== 'reset');
  const first = Number(changes[0]?.id ?? 0);
  const out = changes.findIndex(({ id }, i) => Number(id) !== first + i);
  if (out !== -1) faults.push(`event ${changes[out]?.id} follows event ${changes[out - 1]?.id}`);

  const byWriter = new Map<string, number>();
  for (const [i, writer] of writers.entries()) for (const { entity_id } of writer.changes) byWriter.set(entity_id, i);
  const lines: string[][] = writers.map(() => []);
  for (const event of changes) {
    // Servers make changes too, when they start.
    if (!event.kind.startsWith('work_item.')) continue;
    const line = lines[byWriter.get(entityOf(event)) ?? -1];
    if (line === undefined) faults.push(`event ${event.id}: ${event.kind} of something that nobody made`);
    else line.push(lineOf({ kind: event.kind, entity_id: entityOf(event) }));
  }
  for (const [i, writer] of writers.entries()) {
    const line = lines[i] ?? [];
    const expected = writer.changes.map(lineOf);
    const at = expected.findIndex((text, place) => line[place] !== text);
    if (at === line.length) faults.push(`client ${i}: nothing heard after change ${at} of ${expected.length}`);
    else if (at !== -1)
      faults.push(`client ${i}, change ${at} of ${expected.length}: ${expected[at]}, but heard ${line[at]}`);
    else if (line.length > expected.length)
      faults.push(`client ${i}: heard ${line.length} of ${expected.length} changes`);
  }
  return faults;
}

/** Clients write in several projects on two servers that are killed, while listeners go from one server to the other. */
export async function proveReplay(servers: TwoServers, run: ReplayRun): Promise<ReplayVerdict> {
  const random = createRandom(run.seed);
  const ids = await addProjects(servers, run.projects + 1);
  const [last = '', ...projects] = ids;
  await using outbox = openOutbox(servers.place.database_url);
  const numbered = (i: number) => createRandom(run.seed + i + 1);
  const followers = await Promise.all(
    Array.from({ length: run.readers }, (_, i) => followEvents(servers, numbered(1_000 + i))),
  );
  const writers = projects.flatMap((project_id, i) =>
    Array.from({ length: WRITERS_EACH }, (_, n) =>
      createWriter(servers, { project_id, is_broad: i === 0 && n === 0 }, numbered(i * WRITERS_EACH + n)),
    ),
  );
  let isOver = false;
  const writing = writers.map(({ write }) => write(() => isOver));

  let left = 0;
  for (let kill = 0; kill < run.kills; kill++) {
    await sleep(random.between(20, 300));
    const manner = random.pick(MANNERS);
    const at = random.pick(SERVERS);
    const restarted: Promise<void>[] = [];
    const killNow = async (): Promise<void> => {
      const dead = Promise.withResolvers<void>();
      const noted = async (): Promise<void> => dead.resolve();
      restarted.push(servers.kill(at, noted));
      if (manner === 'both') restarted.push(servers.kill(at === 0 ? 1 : 0));
      await dead.promise;
      if ((await outbox.count()) > 0) left++;
    };
    await (manner === 'held' ? outbox.hold(HELD_ROWS, killNow) : killNow());
    await Promise.all(restarted);
  }
  isOver = true;
  await Promise.all(writing);

  // The last change of all: a listener that has received it has received everything, because there is one order.
  const sentinel = createWriter(servers, { project_id: last, is_broad: false }, random);
  await sentinel.write(() => sentinel.changes.length > 0);
  const end = performance.now() + LAST_WITHIN_MS;
  const final = sentinel.changes[0]?.entity_id;
  const hasHeard = (heard: readonly ReceivedEvent[]) => heard.some((event) => entityOf(event) === final);
  while (!followers.every(({ heard }) => hasHeard(heard)) && performance.now() < end) await sleep(LOOK_MS);
  await Promise.all(followers.map(({ stop }) => stop()));

  const all = [...writers, sentinel];
  const faults = all.flatMap((writer) => writer.faults);
  const [one] = followers;
  const lineOf = ({ heard }: { readonly heard: readonly ReceivedEvent[] }) => JSON.stringify(heard);
  for (const [i, follower] of followers.entries()) {
    faults.push(...faultsOf(follower.heard, all).map((fault) => `listener ${i}: ${fault}`));
    if (one !== undefined && lineOf(follower) !== lineOf(one)) faults.push(`listener ${i} heard other than listener 0`);
  }
  return {
    faults: faults.slice(0, MOST_FAULTS),
    changes: all.reduce((sum, { changes }) => sum + changes.length, 0),
    kills: run.kills,
    left,
    connections: followers.reduce((sum, follower) => sum + follower.connections(), 0),
    writers: all,
  };
}
