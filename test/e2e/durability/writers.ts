import { Agent, request } from 'node:http';
import type { Random } from './random.ts';

/** The writers' knowledge: the answered keys with their tasks, and the unanswered keys. */
export interface Ledger {
  readonly acked: Map<string, string>;
  readonly unacked: Set<string>;
  /** Answers that are never allowed. */
  readonly faults: string[];
  /** Answers that were cut off. */
  torn: number;
}

export const createLedger = (): Ledger => ({ acked: new Map(), unacked: new Set(), faults: [], torn: 0 });

/** A write for a key: the call, and how to read the item's id from the answer. The key is the item's title. */
export interface Write {
  readonly tool: string;
  readonly args: (key: string) => object;
  readonly idOf: (answer: unknown) => string;
}

export const ADD_TASK: Write = {
  tool: 'todo_add_task',
  args: (key) => ({ user_id: 'me', title: key }),
  idOf: (answer) => (answer as { task_id: string }).task_id,
};

interface Target {
  readonly origin: string;
  readonly token: string;
  readonly does?: Write | undefined;
}

interface Answered {
  readonly status: number;
  readonly text: string;
  /** True when all announced bytes arrived. */
  readonly whole: boolean;
}

function post(agent: Agent, { origin, token, does = ADD_TASK }: Target, key: string): Promise<Answered> {
  const body = JSON.stringify({ ...does.args(key), idempotency_key: key });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${origin}/api/v1/tools/${does.tool}`, { method: 'POST', agent, headers }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => {
        text += chunk;
      });
      incoming.on('close', () => resolve({ status: incoming.statusCode ?? 0, text, whole: incoming.complete }));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function write(agent: Agent, target: Target, ledger: Ledger, key: string): Promise<boolean> {
  ledger.unacked.add(key);
  const answer = await post(agent, target, key).catch(() => null);
  // Without a complete answer the outcome is unknown: the key stays unacknowledged and is sent again.
  if (answer === null) return false;
  if (!answer.whole) {
    ledger.torn++;
    return false;
  }
  // The server asks for a retry: another request decides about the key.
  if (answer.status === 503 || answer.text.includes('"idempotency_key_in_progress"')) return true;
  if (answer.status !== 201) {
    ledger.faults.push(`${key}: answered ${answer.status} ${answer.text}`);
    return true;
  }
  const task_id = (target.does ?? ADD_TASK).idOf(JSON.parse(answer.text));
  const first = ledger.acked.get(key);
  if (first !== undefined && first !== task_id) ledger.faults.push(`${key}: answered as ${first} and as ${task_id}`);
  ledger.acked.set(key, task_id);
  ledger.unacked.delete(key);
  return true;
}

const WRITERS = 4;
const DUPLICATES = 0.3;
const RECENT = 8;

export interface Writing {
  /** Resolves at the first successful answer. */
  readonly answered: Promise<void>;
  /** Resolves when the server has ended. */
  readonly done: Promise<void>;
}

/** Starts writers that run until the server ends. 30 % of their requests repeat a key, often one in flight. */
export function writeUntilGone(target: Target, ledger: Ledger, random: Random, cycle: number): Writing {
  const agent = new Agent({ keepAlive: true, maxSockets: WRITERS });
  const retries = [...ledger.unacked];
  const recent: string[] = [];
  let made = 0;
  const nextKey = (): string => {
    if (recent.length > 0 && random.next() < DUPLICATES) {
      return recent[Math.floor(random.next() * recent.length)] ?? '';
    }
    const key = retries.pop() ?? `cycle ${cycle} key ${made++}`;
    recent.push(key);
    if (recent.length > RECENT) recent.shift();
    return key;
  };
  const before = ledger.acked.size;
  const first = Promise.withResolvers<void>();
  const writer = async (): Promise<void> => {
    while (await write(agent, target, ledger, nextKey())) if (ledger.acked.size > before) first.resolve();
  };
  const all = Promise.all(Array.from({ length: WRITERS }, writer));
  return { answered: first.promise, done: all.then(() => agent.destroy()) };
}

/** Sends every unanswered key again until all are answered. */
export async function settle(target: Target, ledger: Ledger): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: WRITERS });
  for (const key of [...ledger.unacked]) await write(agent, target, ledger, key);
  agent.destroy();
  for (const key of ledger.unacked) ledger.faults.push(`${key}: not answered by a healthy server`);
}
