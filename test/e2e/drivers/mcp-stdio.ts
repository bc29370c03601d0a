import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import type { Arguments, Driver } from '../client.ts';
import { cleanEnvironment, ERRAND, type Place, placeFlags } from '../program.ts';
import { initialize, type Revision, type Rpc, rpc } from './mcp-messages.ts';
import { answerOf, resultOf } from './mcp-wire.ts';

export interface Launch {
  readonly revision: Revision;
  /** The arguments after `errand mcp`. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The folder that the agent works in. */
  readonly cwd?: string;
}

interface Asked {
  readonly sent: Rpc;
  /** The received line, unchanged. */
  readonly text: string;
}

/** A client on the pipes of a program, which must end with exit code 0 when they are closed. */
interface Pipes extends AsyncDisposable {
  readonly ask: (method: string, params: Arguments) => Promise<Asked>;
}

/** Starts `errand mcp` and a client of one revision, and does the handshake. */
export async function openPipes({ revision, args, env, cwd }: Launch): Promise<Pipes> {
  const child = spawn(execPath, [ERRAND, 'mcp', ...args], {
    env: cleanEnvironment(env),
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said = (said + chunk).slice(-2_000);
  });
  const waiting = new Map<number, PromiseWithResolvers<string>>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    // Parse each line first: a line that is no message of the protocol must fail the run.
    const { id } = JSON.parse(line) as { id: number };
    waiting.get(id)?.resolve(line);
  });
  const itsEnd = (): Error => new Error(`errand mcp ended with ${child.exitCode}: ${said}`);
  void ended.then(() => {
    for (const { reject } of waiting.values()) reject(itsEnd());
  });

  const exchange = async (sent: Rpc): Promise<Asked> => {
    if (child.exitCode !== null) throw itsEnd();
    const answer = Promise.withResolvers<string>();
    waiting.set(sent.id, answer);
    child.stdin.write(`${JSON.stringify(sent)}\n`);
    const text = await answer.promise;
    waiting.delete(sent.id);
    return { sent, text };
  };

  let last = 0;
  if (revision !== '2026-07-28') {
    const { sent, text } = await exchange(initialize(revision, ++last));
    expect(resultOf(revision, sent, text)).toMatchObject({ protocolVersion: revision });
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }
  return {
    ask: (method, params) => exchange(rpc(revision, ++last, method, params)),
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await ended;
      expect(child.exitCode, said).toBe(0);
    },
  };
}

/** A strict client of one revision on the pipes of `errand mcp`. */
export const mcpStdio = (revision: Revision, place: Place): Driver => ({
  name: `MCP ${revision} over stdio`,
  connect: async (token) => {
    const args = ['--profile', 'todo', ...placeFlags(place)];
    const pipes = await openPipes({ revision, args, env: { ERRAND_TOKEN: token } });
    return {
      call: async (name, input) => {
        const { sent, text } = await pipes.ask('tools/call', { name, arguments: input });
        return answerOf(resultOf(revision, sent, text));
      },
      [Symbol.asyncDispose]: pipes[Symbol.asyncDispose],
    };
  },
});
