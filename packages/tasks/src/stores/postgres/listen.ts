import type { Signal } from '#store';
import { decodeText } from '#stores/row';
import { storeAway } from '#stores/store-away';
import { createBackoff } from './backoff.ts';
import { type Client, type ConnectionTarget, connect, type Driver } from './connection.ts';
import { quoteName } from './schema.ts';

const EVERYTHING: Signal = { task_id: null, claimable: true };

export interface ListenOptions {
  readonly driver: Driver;
  readonly target: ConnectionTarget;
  readonly schema: string;
  /** The name of this process. Its own notifications are ignored: its listeners were called already. */
  readonly sender: string;
  readonly tell: (signal: Signal) => void;
}

/** Parses a notification: the sender, then the tasks, each with a mark for whether a worker can claim it. */
function readPayload(payload: string, own_sender: string): readonly Signal[] {
  const parsed: unknown = JSON.parse(payload);
  const [sender, ...tasks] = Array.isArray(parsed) ? parsed : [];
  if (sender === own_sender) return [];
  return tasks.map((task: unknown) =>
    typeof task === 'string' ? { task_id: decodeText(task.slice(1)), claimable: task.startsWith('+') } : EVERYTHING,
  );
}

function signalsOf(payload: string, own_sender: string): readonly Signal[] {
  try {
    return readPayload(payload, own_sender);
  } catch {
    // Any client can send to the channel. An unreadable payload must not end the process.
    return [EVERYTHING];
  }
}

/** Receives signals of other processes' writes, on its own connection, which is opened again whenever it is lost. */
export async function listen({ driver, target, schema, sender, tell }: ListenOptions) {
  const backoff = createBackoff();
  let current: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function open(): Promise<void> {
    let [is_listening, is_lost] = [false, false];
    const opened = await connect(driver, target, () => {
      if (is_listening && !is_lost) openLater();
      is_lost = true;
    });
    const { client, silence } = opened;
    client.on('notification', ({ payload }) => {
      for (const signal of signalsOf(payload ?? '', sender)) tell(signal);
    });
    silence.asked();
    try {
      await client.query(`listen ${quoteName(schema)}`);
      if (is_lost || closed) throw new Error('The connection was lost.');
    } catch (error) {
      void opened.end();
      throw storeAway(error);
    } finally {
      silence.answered();
    }
    is_listening = true;
    current = opened;
  }

  function openLater(): void {
    if (closed) return;
    backoff.grow();
    timer = setTimeout(() => void openAgain(), backoff.left()).unref();
  }

  async function openAgain(): Promise<void> {
    try {
      await open();
      backoff.reset();
      // Notifications that were sent while the connection was lost are missing.
      tell(EVERYTHING);
    } catch {
      openLater();
    }
  }

  await open();
  return {
    close: async (): Promise<void> => {
      closed = true;
      clearTimeout(timer);
      await current?.end();
    },
  };
}
