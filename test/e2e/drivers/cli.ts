import { expect } from 'vitest';
import type { WireError } from '../../../packages/server/src/gateway/gateway.ts';
import type { Answer, Arguments, Driver, TodoTool } from '../client.ts';
import { errand, type Place, placeFlags } from '../program.ts';

const EXIT: Readonly<Record<string, number>> = {
  VALIDATION_ERROR: 2,
  UNAUTHORIZED: 3,
  insufficient_scope: 3,
  TASK_NOT_FOUND: 4,
  DATABASE_ERROR: 5,
};

const flag = (name: string, value: unknown): string =>
  `--${name.replaceAll('_', '-')}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`;

async function run(place: Place, token: string, tool: TodoTool, args: Arguments): Promise<Answer> {
  const flags = Object.entries(args).map(([name, value]) => flag(name, value));
  const command = ['todo', tool.replaceAll('_', '-'), ...flags, '--json', ...placeFlags(place)];
  const { code, stdout, stderr } = await errand(command, { ERRAND_TOKEN: token });
  if (code === 0) return { ok: true, value: JSON.parse(stdout) as Record<string, unknown> };

  expect(stdout).toBe('');
  const last = stderr.trimEnd().split('\n').at(-1) ?? '';
  const { error } = JSON.parse(last) as { error: WireError };
  expect(code, last).toBe(EXIT[error.code] ?? 1);
  return { ok: false, error };
}

/** Calls over the command line, one process per call. */
export const cli = (place: Place): Driver => ({
  name: 'command line',
  connect: async (token) => ({
    call: (tool, args) => run(place, token, tool, args),
    [Symbol.asyncDispose]: async () => {},
  }),
});
