import { env } from 'node:process';
import type { TestProject } from 'vitest/node';
import { startDynamoDb } from '../scripts/dynamodb.ts';
import { oneForAll } from './one-for-all.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The endpoint of a running DynamoDB Local. Each suite makes its own table. */
    dynamodbEndpoint: string;
    /** A real table that tests may empty, with the credentials of the environment; '' when none is given. */
    dynamodbTable: string;
  }
}

const { running, teardown } = oneForAll('dynamodb', startDynamoDb);

export { teardown };

/** Starts the server, unless the runner names one that is already running. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('dynamodbTable', env.ERRAND_TEST_DYNAMODB_TABLE ?? '');
  project.provide('dynamodbEndpoint', env.ERRAND_TEST_DYNAMODB_ENDPOINT || (await running()).endpoint);
}
