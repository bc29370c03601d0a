import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mcpPost } from '../drivers/mcp-http.ts';
import { rpc } from '../drivers/mcp-messages.ts';
import { createRandom, type Random } from '../durability/random.ts';
import { type Received, sendJson } from '../http.ts';
import { type LaunchedServer, launchServer } from './launch.ts';
import { type MessagedAgent, messagesByStatus, startMessagedAgents } from './messaged-agents.ts';
import type { Plant } from './plants.ts';

export interface MessageKills {
  readonly folder: string;
  readonly agents: number;
  /** How many messages each agent is sent. */
  readonly messages: number;
  readonly kills: number;
  readonly seed: number;
  readonly plant?: Plant | undefined;
}

interface Seen {
  readonly message_id: string;
  readonly text: string;
  /** The server that the answer came from: how many were killed before it. */
  readonly server: number;
}

/** What one agent was sent and has seen, in order. */
interface Talk {
  readonly agent: MessagedAgent;
  readonly sent: string[];
  readonly seen: Seen[];
  /** The ids of the messages that it has seen, in the order of their first sight. */
  readonly known: Set<string>;
  /** Calls that got no whole answer. */
  lost: number;
}

/** The present server, if one runs. */
interface Stage {
  server: { readonly origin: string; readonly number: number } | null;
  isOver: boolean;
}

/** At most this many messages wait for an agent: the server refuses more than 100. */
const MAX_AHEAD = 60;
const AWAY_MS = 5;
/** After this long without a new message the agents never get the others. With a planted fault that is expected. */
const QUIET_MS = { sound: 60_000, planted: 3_000 };

/** A person writes one message after another, each until it is answered. */
async function write(stage: Stage, person: string, talk: Talk, messages: number): Promise<void> {
  const { agent, sent, known } = talk;
  while (sent.length < messages && !stage.isOver) {
    const isAhead = sent.length - known.size >= MAX_AHEAD;
    if (stage.server === null || isAhead) {
      await sleep(AWAY_MS);
      continue;
    }
    const text = `Message ${sent.length}`;
    const body = { attempt_id: agent.attempt_id, text, idempotency_key: `${agent.attempt_id} ${text}` };
    const answer = await sendJson(stage.server.origin, '/api/v1/tools/send_message', person, body).catch(() => null);
    if (answer?.status === 201) sent.push(String((JSON.parse(answer.text) as { message_id: string }).message_id));
    else await sleep(AWAY_MS);
  }
}

interface CarriedAnswer {
  readonly result?: { readonly structuredContent?: { readonly messages?: readonly Omit<Seen, 'server'>[] } };
}

const carriedIn = ({ text }: Received): readonly Omit<Seen, 'server'>[] =>
  // As the protocol declares it.
  (JSON.parse(text) as CarriedAnswer).result?.structuredContent?.messages ?? [];

/** An agent calls a tool again and again, and reads the messages in whole answers. */
async function call(stage: Stage, talk: Talk, random: Random): Promise<void> {
  for (let id = 1; !stage.isOver; id++) {
    const { server } = stage;
    if (server === null) {
      await sleep(AWAY_MS);
      continue;
    }
    const message = rpc('2026-07-28', id, 'tools/call', { name: 'get_context', arguments: {} });
    const answer = await mcpPost(server.origin, '/mcp', talk.agent.token, '2026-07-28', message).catch(() => null);
    if (answer?.status === 200) {
      for (const one of carriedIn(answer)) {
        talk.seen.push({ ...one, server: server.number });
        talk.known.add(one.message_id);
      }
    } else talk.lost += 1;
    await sleep(random.between(1, answer?.status === 200 ? 30 : 60));
  }
}

/** What is wrong with a talk; empty for nothing. */
function judge({ agent, sent, seen, known }: Talk, read_before: readonly ReadonlySet<string>[]): readonly string[] {
  const faults: string[] = [];
  const name = (id: string): string => `${agent.attempt_id.slice(-4)}: message ${sent.indexOf(id)}`;
  for (const id of sent) if (!known.has(id)) faults.push(`${name(id)} was never seen`);
  if (faults.length === 0 && [...known].some((id, at) => id !== sent[at]))
    faults.push(`${agent.attempt_id}: out of order`);
  const shown = new Set<string>();
  for (const { message_id, server } of seen) {
    const sight = `${server} ${message_id}`;
    if (shown.has(sight)) faults.push(`${name(message_id)} came twice from one server`);
    if (read_before[server]?.has(message_id)) faults.push(`${name(message_id)} came again after it was read`);
    shown.add(sight);
  }
  return faults;
}

/** Agents take their messages in the results of tools while their server is killed with SIGKILL and started again. */
export async function killMessages({ folder, agents, messages, kills, seed, plant }: MessageKills) {
  const data = join(folder, 'data');
  await mkdir(data, { recursive: true });
  const runs = await startMessagedAgents(data, agents);
  const random = createRandom(seed);
  const stage: Stage = { server: null, isOver: false };
  const talks: readonly Talk[] = runs.agents.map((agent) => ({ agent, sent: [], seen: [], known: new Set(), lost: 0 }));
  const read_before: ReadonlySet<string>[] = [];
  let running: LaunchedServer | null = null;

  /** Messages that count as read although no agent has seen them: they never come again. */
  const swallowed = new Set<string>();
  const start = async (): Promise<void> => {
    const read = messagesByStatus(data).get('read') ?? new Set();
    for (const id of read) if (!talks.some(({ known }) => known.has(id))) swallowed.add(id);
    read_before.push(read);
    running = await launchServer({ place: { data }, plant });
    stage.server = { origin: running.origin, number: read_before.length - 1 };
  };
  const kill = async (): Promise<void> => {
    stage.server = null;
    await running?.kill();
  };
  /** Messages that come again do not count: an agent that gets the same ones for ever gets no further. */
  const countSeen = (): number => talks.reduce((sum, { known }) => sum + known.size, 0);
  const quiet_ms = plant === undefined ? QUIET_MS.sound : QUIET_MS.planted;
  const unread = (): readonly string[] =>
    ['queued', 'delivered'].flatMap((status) => [...(messagesByStatus(data).get(status) ?? [])]);
  /** Waits until the agents have seen enough messages, or see no more. */
  const until = async (isEnough: () => boolean): Promise<void> => {
    let last = { count: -1, at: performance.now() };
    while (!isEnough() && performance.now() - last.at < quiet_ms) {
      if (countSeen() !== last.count) last = { count: countSeen(), at: performance.now() };
      await sleep(AWAY_MS);
    }
  };

  const works = talks.flatMap((talk) => [write(stage, runs.person, talk, messages), call(stage, talk, random)]);
  try {
    // One message that a planted fault has swallowed is enough.
    for (let done = 0; done < kills && (plant === undefined || swallowed.size === 0); done++) {
      await start();
      // Each server brings its part, so that the kills are spread over all messages.
      const part = Math.floor((agents * messages * (done + 1)) / (kills + 1));
      await until(() => countSeen() >= part);
      await sleep(random.between(0, 80));
      await kill();
    }
    await start();
    if (plant === undefined || swallowed.size === 0) {
      await until(() => talks.every(({ sent }) => sent.length === messages) && unread().length === 0);
    }
  } finally {
    stage.isOver = true;
    await Promise.all(works);
    await kill();
  }
  const faults = talks.flatMap((talk) => judge(talk, read_before));
  for (const id of swallowed) faults.push(`message ${id} was read before anybody saw it`);
  if (unread().length > 0) faults.push(`${unread().length} messages are not read`);
  const sent = talks.reduce((sum, talk) => sum + talk.sent.length, 0);
  if (sent < agents * messages) faults.push(`only ${sent} messages were sent`);
  const lost = talks.reduce((sum, talk) => sum + talk.lost, 0);
  return { faults, sent, seen: countSeen(), lost, kills };
}
