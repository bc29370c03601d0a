import { setTimeout } from 'node:timers/promises';
import type { AgentMessageId } from '#domain/ids';
import type { FeedEntry } from '#domain/run';
import type { Gateway } from '#gateway/gateway';
import { settleCarried } from '#services/board/messages';
import type { aSteeredRun, CarriedMessage } from '#testing/steered';
import type { World } from '#testing/world';

/** A server that the agent of an attempt calls, and that can be killed. */
export interface AgentServer {
  /** With `is_last`, the server is killed when it has the answer, before the answer leaves. */
  readonly call: (is_last: boolean) => Promise<readonly CarriedMessage[]>;
  /** Ends it at once: whatever it was about to write is never written. */
  readonly kill: () => Promise<void>;
  /** Ends it in order. */
  readonly close: () => Promise<void>;
}

type Steered = Awaited<ReturnType<typeof aSteeredRun>>;

/** A server in this process. One that was killed writes nothing more. */
export function serveHere(world: World, { callFrom }: Steered): AgentServer {
  let isKilled = false;
  const { transaction } = world.store;
  const gateway: Gateway = world.openGateway({
    ...world.store,
    transaction: (work) => (isKilled ? new Promise(() => {}) : transaction(work)),
  });
  return {
    call: (is_last) =>
      callFrom(gateway, {
        answered: () => {
          isKilled ||= is_last;
        },
      }),
    kill: async () => {
      isKilled = true;
    },
    close: gateway.close,
  };
}

/** The planted fault: what an answer carries is written as delivered before the answer has left. */
export function deliverTooSoon(world: World, site: Steered, server: AgentServer): AgentServer {
  const attempt = { id: site.attempt_id, workspace_id: world.owner.workspace_id };
  return {
    ...server,
    call: async (is_last) => {
      const messages = await server.call(is_last);
      // The ids are those of messages.
      const carried = new Set(messages.map(({ message_id }) => message_id as AgentMessageId));
      await world.store.transaction((tx) => settleCarried(tx, attempt, { carried, answered: new Set() }));
      return messages;
    },
  };
}

interface Play {
  readonly messages: number;
  readonly random: () => number;
  readonly open: () => Promise<AgentServer>;
  /** After how many calls at most a server ends. */
  readonly calls: number;
}

const FEW = 6;
/** In some of the calls: long enough for a server to store that a message was delivered. */
const LONG_ENOUGH_MS = 60;
const OFTEN = 0.1;
const MAX_WAITING = 50;

/** A person writes, an agent calls tools, and servers end in order or are killed, before or after an answer has arrived. */
export async function killWhileTelling(site: Steered, { messages, random, open, calls }: Play) {
  const sent: string[] = [];
  const seen: string[] = [];
  const kills = { before: 0, after: 0, none: 0 };
  const write = async (): Promise<void> => {
    const waiting = (await site.statuses()).length;
    const few = Math.min(messages - sent.length, MAX_WAITING - waiting, Math.floor(random() * FEW));
    for (let i = 0; i < few; i++) {
      const { message_id } = await site.tell(`Message ${sent.length}`);
      sent.push(String(message_id));
    }
  };
  const isOver = async (): Promise<boolean> => sent.length === messages && (await site.statuses()).length === 0;

  for (let turn = 0; turn < 20 * messages && !(await isOver()); turn++) {
    const server = await open();
    const ends = (['before', 'after', 'none'] as const)[Math.floor(random() * 3)] ?? 'none';
    for (let left = Math.ceil(random() * calls); left > 0; left--) {
      await write();
      const isLost = left === 1 && ends === 'before';
      const answer = await server.call(isLost);
      if (!isLost) seen.push(...answer.map(({ message_id }) => message_id));
      if (!isLost && random() < OFTEN) await setTimeout(LONG_ENOUGH_MS);
    }
    await (ends === 'none' ? server.close() : server.kill());
    kills[ends] += 1;
  }
  return { sent, seen, kills };
}

/** The faults after a play; empty when everything is right. */
export async function judgeMessages(
  world: World,
  site: Steered,
  { sent, seen }: Pick<Awaited<ReturnType<typeof killWhileTelling>>, 'sent' | 'seen'>,
): Promise<readonly string[]> {
  const first = [...new Set(seen)];
  const faults = sent.filter((id) => !first.includes(id)).map((id) => `message ${sent.indexOf(id)} was never seen`);
  if (first.some((id, at) => id !== sent[at]) && faults.length === 0) faults.push('messages came out of order');
  if ((await site.statuses()).length > 0) faults.push('messages are not read');
  const shown = new Map<string, number>();
  const { run } = site;
  for (let after = 0, page: readonly FeedEntry[]; ; after = page.at(-1)?.seq ?? after) {
    page = await world.store.reads.runs.feed(run.entry.run, { after, limit: 500 });
    for (const { text } of page) shown.set(text, (shown.get(text) ?? 0) + 1);
    if (page.length < 500) break;
  }
  for (const at of sent.keys()) {
    const times = shown.get(`A person to the agent: Message ${at}`) ?? 0;
    if (times !== 1) faults.push(`message ${at} is ${times} times in the feed`);
  }
  return faults;
}
