import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import type { Client, Driver } from '../client.ts';
import { cleanEnvironment, ERRAND, type Place, placeFlags } from '../program.ts';
import { initialize, type Revision, type Rpc, rpc } from './mcp-messages.ts';
import { answerOf, resultOf } from './mcp-wire.ts';

/** A strict client of one revision on the pipes of `errand mcp`. */
export const mcpStdio = (revision: Revision, place: Place): Driver => ({
  name: `MCP ${revision} over stdio`,
  connect: async (token) => {
    const child = spawn(execPath, [ERRAND, 'mcp', '--profile', 'todo', ...placeFlags(place)], {
      env: cleanEnvironment({ ERRAND_TOKEN: token }),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const ended = once(child, 'close');
    const waiting = new Map<number, PromiseWithResolvers<string>>();
    createInterface({ input: child.stdout }).on('line', (line) => {
      // A line that is no message of the protocol must fail the run, so it is parsed before anything else.
      const { id } = JSON.parse(line) as { id: number };
      waiting.get(id)?.resolve(line);
    });
    void ended.then(([code]) => {
      for (const { reject } of waiting.values()) reject(new Error(`errand mcp ended with ${code}`));
    });

    const exchange = async (message: Rpc): Promise<Readonly<Record<string, unknown>>> => {
      const answer = Promise.withResolvers<string>();
      waiting.set(message.id, answer);
      child.stdin.write(`${JSON.stringify(message)}\n`);
      const line = await answer.promise;
      waiting.delete(message.id);
      return resultOf(revision, message, line);
    };

    if (revision !== '2026-07-28') {
      expect(await exchange(initialize(revision, 1))).toMatchObject({ protocolVersion: revision });
      child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    }
    let last = 1;
    const call: Client['call'] = async (tool, args) =>
      answerOf(await exchange(rpc(revision, ++last, 'tools/call', { name: tool, arguments: args })));
    const close = async () => {
      child.stdin.end();
      await ended;
      expect(child.exitCode).toBe(0);
    };
    return { call, [Symbol.asyncDispose]: close };
  },
});
