import { env } from 'node:process';
import type { TestProject } from 'vitest/node';
import { type RunningDynamoDb, startDynamoDb } from '../scripts/dynamodb.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of a running DynamoDB Local; each suite makes a table of its own there. */
    dynamodbEndpoint: string;
    /** Of a real table that tests may empty, reached with the credentials of the environment; '' where none is given. */
    dynamodbTable: string;
  }
}

// The runner loads this file once for each project: kept here, each of them would start a server.
const shared = globalThis as { errandDynamoDb?: Promise<RunningDynamoDb> | undefined };

/** One DynamoDB Local for all projects of a run; a runner that has started one already names it. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('dynamodbTable', env.ERRAND_TEST_DYNAMODB_TABLE ?? '');
  const given = env.ERRAND_TEST_DYNAMODB_ENDPOINT;
  if (given !== undefined && given !== '') {
    project.provide('dynamodbEndpoint', given);
    return;
  }
  shared.errandDynamoDb ??= startDynamoDb();
  project.provide('dynamodbEndpoint', (await shared.errandDynamoDb).endpoint);
}

export async function teardown(): Promise<void> {
  const running = shared.errandDynamoDb;
  shared.errandDynamoDb = undefined;
  await (await running)?.stop();
}
