import { env } from 'node:process';
import type { TestProject } from 'vitest/node';
import { startDynamoDb } from '../scripts/dynamodb.ts';
import { oneForAll } from './one-for-all.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of a running DynamoDB Local; each suite makes a table of its own there. */
    dynamodbEndpoint: string;
    /** Of a real table that tests may empty, reached with the credentials of the environment; '' where none is given. */
    dynamodbTable: string;
  }
}

const { running, teardown } = oneForAll('dynamodb', startDynamoDb);

export { teardown };

/** A runner that has started one already names it. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('dynamodbTable', env.ERRAND_TEST_DYNAMODB_TABLE ?? '');
  project.provide('dynamodbEndpoint', env.ERRAND_TEST_DYNAMODB_ENDPOINT || (await running()).endpoint);
}
