import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../e2e/durability/random.ts';
import { callOnce } from '../../e2e/two-servers/call.ts';
import { type Fields, SERVERS, type TwoServers } from '../../e2e/two-servers/two-servers.ts';

/** One change that was answered: the event that listeners must get, and its key. */
export interface Change {
  readonly kind: string;
  readonly entity_id: string;
  readonly key: string;
}

/** A client that makes changes one after another, each on either server. */
export interface Writer {
  /** The changes that were answered, in their order. */
  readonly changes: readonly Change[];
  readonly faults: readonly string[];
  /** Makes changes until it is told to stop, and finishes the last one. */
  readonly write: (isOver: () => boolean) => Promise<void>;
}

interface Place {
  readonly project_id: string;
  /** Whether it also makes calls that hold up all projects. */
  readonly is_broad: boolean;
}

const RETRY_MS = 10;
/** The correlation id of an answer; a text that is in no log when the answer has none. */
const correlationOf = (text: string): string => /"correlation_id":"([^"]+)"/.exec(text)?.[1] ?? 'none';
const UPDATES_EACH = 3;

export function createWriter(
  { origin, owner, logOf }: TwoServers,
  { project_id, is_broad }: Place,
  random: Random,
): Writer {
  const changes: Change[] = [];
  const faults: string[] = [];

  /** Sends a call under one key until it is answered, on whichever server is up. */
  async function sure(tool: string, args: object): Promise<{ readonly value: Fields; readonly key: string } | null> {
    const key = randomUUID();
    for (;;) {
      const at = random.pick(SERVERS);
      const learned = await callOnce({
        origin: origin(at),
        token: owner,
        tool,
        args: { ...args, idempotency_key: key },
      });
      if (learned.kind === 'ok') return { value: learned.value, key };
      if (learned.kind === 'refused') {
        faults.push([`${tool} was refused: ${learned.text}`, ...logOf(correlationOf(learned.text))].join('\n'));
        return null;
      }
      await sleep(RETRY_MS);
    }
  }

  async function change(tool: string, args: object, kind: string): Promise<string | null> {
    const made = await sure(tool, args);
    if (made === null) return null;
    const entity_id = String(made.value.task_id);
    changes.push({ kind, entity_id, key: made.key });
    return entity_id;
  }

  return {
    changes,
    faults,
    write: async (isOver) => {
      for (let turn = 0; !isOver(); turn++) {
        const task_id = await change('create_task', { project_id, title: `Task ${turn}` }, 'work_item.created');
        if (task_id === null) return;
        for (let i = 0; i < UPDATES_EACH && !isOver(); i++) {
          await change('update_task', { task_id, title: `Task ${turn}.${i}` }, 'work_item.updated');
        }
        if (!is_broad) continue;
        const made = await sure('next_task', { task_id });
        if (made !== null) changes.push({ kind: 'work_item.updated', entity_id: task_id, key: made.key });
      }
    },
  };
}
