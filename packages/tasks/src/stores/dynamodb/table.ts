import type { CreateTableCommandInput, UpdateTimeToLiveCommandInput } from '@aws-sdk/client-dynamodb';

/** The owner's tasks by age. A local index, so that it supports consistent reads. */
export const BY_CREATED = 'by_created';
/** The owner's unfinished tasks. Also a local index. */
export const UNFINISHED = 'unfinished';
/** Unfinished tasks of all owners by tool and claim time. This index may be behind, so conditional writes decide. */
export const CLAIMABLE = 'claimable';
/** Tasks of all owners by expiry. This index may be behind too. */
export const BY_EXPIRY = 'by_expiry';

/** With one shard, a single partition would have to take every insert of the table. */
export const EXPIRY_SHARDS = 4;

/** Epoch seconds, for DynamoDB's removal of expired items. */
export const TTL_ATTRIBUTE = 'expires';

export interface TableDefinition {
  readonly create: CreateTableCommandInput;
  readonly time_to_live: UpdateTimeToLiveCommandInput;
}

const key = (hash: string, range: string) => [
  { AttributeName: hash, KeyType: 'HASH' as const },
  { AttributeName: range, KeyType: 'RANGE' as const },
];
const attribute = (AttributeName: string, AttributeType: 'S' | 'N') => ({ AttributeName, AttributeType });

/** Defines the table of the store. `cloudformation/tasks-table.yaml` makes the same one. */
export function tableDefinition(table: string): TableDefinition {
  const create: CreateTableCommandInput = {
    TableName: table,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      attribute('owner_id', 'S'),
      attribute('task_id', 'S'),
      attribute('created_sort', 'S'),
      attribute('live_until', 'N'),
      attribute('claim_tool', 'S'),
      attribute('claim_at', 'N'),
      attribute('expiry_shard', 'S'),
      attribute('expires_at', 'N'),
    ],
    KeySchema: key('owner_id', 'task_id'),
    LocalSecondaryIndexes: [
      {
        IndexName: BY_CREATED,
        KeySchema: key('owner_id', 'created_sort'),
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['expires_at'] },
      },
      { IndexName: UNFINISHED, KeySchema: key('owner_id', 'live_until'), Projection: { ProjectionType: 'KEYS_ONLY' } },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: CLAIMABLE,
        KeySchema: key('claim_tool', 'claim_at'),
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['expires_at'] },
      },
      {
        IndexName: BY_EXPIRY,
        KeySchema: key('expiry_shard', 'expires_at'),
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  };
  return {
    create,
    time_to_live: {
      TableName: table,
      TimeToLiveSpecification: { AttributeName: TTL_ATTRIBUTE, Enabled: true },
    },
  };
}
