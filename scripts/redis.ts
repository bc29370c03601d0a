import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, requireProgram, startGuarded } from './guarded-server.ts';

export interface RunningRedis {
  readonly url: string;
  readonly port: number;
  /** The process id. It changes with `resume`. */
  readonly pid: number;
  /** Ends the server at once and keeps its data, as a crash would. */
  readonly pause: () => Promise<void>;
  /** Starts it again on the same data and port. */
  readonly resume: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** The path of Redis, which is installed on Debian if it is missing. */
export const redisPath = (): string => requireProgram('redis-server', 'redis-server', 'redis-server');

/** Starts a Redis for tests: on loopback, in a temporary folder, with every acknowledged write on disk. */
export async function startRedis(): Promise<RunningRedis> {
  const program = redisPath();
  const folder = mkdtempSync(join(tmpdir(), 'errand-redis-'));
  const port = await freePort();
  const args = [
    ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''],
    ...['--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction'],
  ];
  const launch = () => startGuarded({ name: 'Redis', program, args, folder, answers: () => answersPing(port) });
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });

  let server: Awaited<ReturnType<typeof launch>>;
  try {
    server = await launch();
  } catch (error) {
    remove();
    throw error;
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      return server.pid;
    },
    pause: () => server.kill(),
    resume: async () => {
      server = await launch();
    },
    stop: async () => {
      await server.kill();
      remove();
    },
  };
}

/** Resolves to false while the server is missing or still loads its data. */
function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const settle = (answered: boolean): void => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('data', (chunk) => settle(chunk.toString().startsWith('+PONG')));
    socket.once('error', () => settle(false));
    socket.once('close', () => settle(false));
  });
}
