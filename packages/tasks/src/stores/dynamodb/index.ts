export { type DynamoDbStoreOptions, openDynamoDbStore } from './dynamodb-store.ts';
export { type TableDefinition, tableDefinition } from './table.ts';
