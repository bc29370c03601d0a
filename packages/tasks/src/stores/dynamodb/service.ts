import { setTimeout as sleep } from 'node:timers/promises';
import type {
  DeleteItemCommandInput,
  DynamoDBClient,
  GetItemCommandInput,
  GetItemCommandOutput,
  PutItemCommandInput,
  QueryCommandInput,
  QueryCommandOutput,
  TransactWriteItemsCommandInput,
  UpdateItemCommandInput,
  UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { isObject } from '#json';
import { storeAway } from '#stores/store-away';

type Sdk = typeof import('@aws-sdk/client-dynamodb');

/** The DynamoDB calls of the store. A refused condition is thrown unchanged, any other error as `store_unavailable`. */
export interface DynamoDbService {
  readonly get: (input: GetItemCommandInput) => Promise<GetItemCommandOutput>;
  readonly query: (input: QueryCommandInput) => Promise<QueryCommandOutput>;
  readonly put: (input: PutItemCommandInput) => Promise<unknown>;
  readonly update: (input: UpdateItemCommandInput) => Promise<UpdateItemCommandOutput>;
  readonly remove: (input: DeleteItemCommandInput) => Promise<unknown>;
  readonly transact: (input: TransactWriteItemsCommandInput) => Promise<unknown>;
  /** The answer's `Date` header in epoch milliseconds, precise to the second; null when there is none. */
  readonly readDate: (input: GetItemCommandInput) => Promise<number | null>;
  readonly close: () => void;
}

/** The service, the table and its clock. */
export interface TableAccess {
  readonly service: DynamoDbService;
  readonly table: string;
  readonly now: () => number;
}

export interface ServiceOptions {
  /** A client of the application, with `maxAttempts: 1`. Closing the store does not close it. */
  readonly client?: DynamoDBClient;
  readonly endpoint?: string;
  readonly region?: string;
}

const MAX_TRIES = 8;
const MAX_READ_TRIES = 3;
const MAX_PAUSE_MS = 800;

/** Errors with which the service says that the request had no effect. */
const REFUSED_UNDONE: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionConflictException',
]);
const CONDITION_FAILED: ReadonlySet<string> = new Set([
  'ConditionalCheckFailedException',
  'TransactionCanceledException',
]);
const HOPELESS: ReadonlySet<string> = new Set([
  'AccessDeniedException',
  'CredentialsProviderError',
  'ResourceNotFoundException',
  'UnrecognizedClientException',
  'ValidationException',
]);

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

/** Waits longer each time, with a random part, so that processes that conflicted once do not conflict again. */
export const pause = (attempt: number): Promise<void> =>
  sleep(Math.random() * Math.min(25 * 2 ** attempt, MAX_PAUSE_MS));

// A write that may have happened is never sent again: its own success would look like a conflict.
async function write<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (CONDITION_FAILED.has(nameOf(error))) throw error;
      if (!REFUSED_UNDONE.has(nameOf(error)) || attempt === MAX_TRIES) throw storeAway(error);
      await pause(attempt);
    }
  }
}

async function read<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (HOPELESS.has(nameOf(error)) || attempt === MAX_READ_TRIES) throw storeAway(error);
      await pause(attempt);
    }
  }
}

async function loadSdk(): Promise<Sdk> {
  try {
    return await import('@aws-sdk/client-dynamodb');
  } catch (error) {
    throw new Error('The DynamoDB store needs `@aws-sdk/client-dynamodb`: npm install @aws-sdk/client-dynamodb', {
      cause: error,
    });
  }
}

export async function openService({ client: given, endpoint, region }: ServiceOptions): Promise<DynamoDbService> {
  const sdk = await loadSdk();
  if (given !== undefined && (await given.config.maxAttempts()) !== 1) {
    throw new Error(
      'Give a client with maxAttempts: 1. A conditional write that is sent again after it succeeded reports a lost race.',
    );
  }
  const client =
    given ??
    new sdk.DynamoDBClient({
      maxAttempts: 1,
      requestHandler: { connectionTimeout: 2_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
      ...(endpoint !== undefined && { endpoint }),
      ...(region !== undefined && { region }),
    });

  async function readDate(input: GetItemCommandInput): Promise<number | null> {
    const command = new sdk.GetItemCommand(input);
    let date = Number.NaN;
    command.middlewareStack.add(
      (next) => async (args) => {
        const answer = await next(args);
        date = dateOf(answer.response);
        return answer;
      },
      { step: 'deserialize', name: 'readDate' },
    );
    await read(() => client.send(command));
    return Number.isNaN(date) ? null : date;
  }

  return {
    get: (input) => read(() => client.send(new sdk.GetItemCommand(input))),
    query: (input) => read(() => client.send(new sdk.QueryCommand(input))),
    put: (input) => write(() => client.send(new sdk.PutItemCommand(input))),
    update: (input) => write(() => client.send(new sdk.UpdateItemCommand(input))),
    remove: (input) => write(() => client.send(new sdk.DeleteItemCommand(input))),
    transact: (input) => write(() => client.send(new sdk.TransactWriteItemsCommand(input))),
    readDate,
    close: () => {
      if (given === undefined) client.destroy();
    },
  };
}

function dateOf(response: unknown): number {
  const headers = isObject(response) && isObject(response.headers) ? response.headers : {};
  return Date.parse(String(headers.date));
}
