import { TaskError } from '#errors';
import type { TaskStore } from '#store';
import { createStoreClock } from '#stores/clock';
import { fromRow, isClaimable, isOver, type TaskRow, toRow } from '#stores/row';
import { createSignals } from '#stores/signals';
import { storeClosed } from '#stores/store-away';
import type { TaskRecord } from '#task';
import { claimTasks } from './claim.ts';
import { createFreshTasks } from './fresh-tasks.ts';
import { insertTask } from './insert.ts';
import { keyOf, rowOfItem } from './item.ts';
import { listTasks } from './list.ts';
import { createOneAtATime } from './one-at-a-time.ts';
import { replaceItem } from './replace.ts';
import { openService, type ServiceOptions, type TableAccess } from './service.ts';
import { readServiceTime } from './service-time.ts';
import { sweepTasks } from './sweep.ts';
import { trimTasks } from './trim.ts';

/** An item may have 400 KB, including the names of its attributes and the copies in indexes. */
const MAX_RECORD_BYTES = 384 * 1024;

export interface DynamoDbStoreOptions extends ServiceOptions {
  /** The table, made by `cloudformation/tasks-table.yaml` or from `tableDefinition`. */
  readonly table: string;
}

/**
 * Opens a store in one DynamoDB table, with at most 5,000 unfinished tasks per owner. Every write of a task is one
 * conditional write. Signals stay in this process.
 */
export async function openDynamoDbStore({ table, ...options }: DynamoDbStoreOptions): Promise<TaskStore> {
  const service = await openService(options);
  const clock = await createStoreClock(() => readServiceTime(service, table)).catch((error: unknown) => {
    service.close();
    if (!isMissingTable(error)) throw error;
    throw new Error(`There is no table ${table}. Make it with cloudformation/tasks-table.yaml.`, { cause: error });
  });
  const access: TableAccess = { service, table, now: clock.now };
  const signals = createSignals();
  const fresh = createFreshTasks();
  const oneAtATime = createOneAtATime();
  let closed = false;

  const assertOpen = (): void => {
    if (closed) throw storeClosed();
  };
  const remember = ({ task_id, owner_id, request, created_at }: TaskRecord, row: TaskRow): void => {
    const key = keyOf(owner_id, task_id);
    if (isClaimable(row)) fresh.add({ key, tool: request.tool, claim_at: created_at });
    else fresh.drop(key);
  };
  const tell = ({ task_id }: TaskRecord, row: TaskRow): void => signals.tell({ task_id, claimable: isClaimable(row) });

  const close = async (): Promise<void> => {
    if (closed) return;
    closed = true;
    clock.close();
    signals.clear();
    service.close();
  };

  return {
    name: 'dynamodb',
    max_record_bytes: MAX_RECORD_BYTES,
    now: clock.now,
    subscribe: signals.subscribe,
    close,
    [Symbol.asyncDispose]: close,

    insert: async (record, quota) => {
      assertOpen();
      const row = toRow(record, MAX_RECORD_BYTES);
      const inserted = await oneAtATime(record.owner_id, () => insertTask(access, record, quota));
      if (inserted !== 'inserted') return inserted;
      remember(record, row);
      tell(record, row);
      return inserted;
    },

    get: async (owner_id, task_id) => {
      assertOpen();
      const { Item } = await service.get({ TableName: table, Key: keyOf(owner_id, task_id), ConsistentRead: true });
      const row = rowOfItem(Item);
      return row === null || isOver(row, clock.now()) ? null : fromRow(row);
    },

    replace: async (record, { quiet = false } = {}) => {
      assertOpen();
      const row = toRow(record, MAX_RECORD_BYTES);
      const replaced = await replaceItem(access, record, row);
      if (!replaced.ok) return replaced;
      remember(record, row);
      if (!quiet) tell(record, row);
      return replaced;
    },

    list: async (owner_id, after, limit) => {
      assertOpen();
      return listTasks(access, owner_id, after, limit);
    },

    claim: async (claim) => {
      assertOpen();
      return claimTasks(access, fresh, claim);
    },

    sweep: async (limit) => {
      assertOpen();
      return sweepTasks(access, limit);
    },

    trim: async (owner_id, most) => {
      assertOpen();
      return trimTasks(access, owner_id, most);
    },
  };
}

const isMissingTable = (error: unknown): boolean =>
  error instanceof TaskError && error.cause instanceof Error && error.cause.name === 'ResourceNotFoundException';
