import type { CreateTableCommandInput, UpdateTimeToLiveCommandInput } from '@aws-sdk/client-dynamodb';

/** The owner's tasks by age; local to the owner, so that it can be read as it is now. */
export const BY_CREATED = 'by_created';
/** The owner's unfinished tasks; local as well. */
export const UNFINISHED = 'unfinished';
/** Unfinished tasks of all owners by tool and by when they may be taken. Follows late: conditional writes decide. */
export const CLAIMABLE = 'claimable';
/** Tasks of all owners by when their life is over. Follows late too. */
export const BY_EXPIRY = 'by_expiry';

/** One partition would have to take every insertion of the table. */
export const EXPIRY_SHARDS = 4;

/** Epoch seconds, for the service's own removal of expired items. */
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

/** The table that the store works on; `cloudformation/tasks-table.yaml` makes the same one. */
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
