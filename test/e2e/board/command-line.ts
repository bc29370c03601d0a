import { readdir } from 'node:fs/promises';
import { expect } from 'vitest';
import type { WireError } from '../../../packages/server/src/gateway/gateway.ts';
import type { Answer, Arguments } from '../client.ts';
import { errand, placeFlags, temporaryFolder } from '../program.ts';
import { documentedTools } from './documented-tools.ts';
import type { Way } from './ways.ts';

const flag = (name: string, value: unknown): string =>
  `--${name.replaceAll('_', '-')}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`;

interface Machine extends AsyncDisposable {
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

async function type({ flags, env }: Machine, tool: string, args: Arguments): Promise<Answer> {
  const typed = Object.entries(args).map(([name, value]) => flag(name, value));
  const { code, stdout, stderr } = await errand(
    ['board', tool.replaceAll('_', '-'), ...typed, '--json', ...flags],
    env,
  );
  if (stdout !== '') return { ok: true, value: JSON.parse(stdout) as Record<string, unknown> };
  expect(code, stderr).toBeGreaterThan(0);
  const last = stderr.trimEnd().split('\n').at(-1) ?? '';
  return { ok: false, error: (JSON.parse(last) as { error: WireError }).error };
}

const commandLine = (
  name: string,
  machine: (address: Parameters<Way['connect']>[0], token: string) => Promise<Machine>,
): Way => ({
  name,
  is_mcp: false,
  connect: async (address, token) => {
    const at = await machine(address, token);
    return {
      list: () => documentedTools(address.origin),
      call: (tool, args) => type(at, tool, args),
      [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
    };
  },
});

/** One process a call, beside the server, on the same data. */
export const overCommandLine = commandLine('the command line', async ({ place }, token) => ({
  flags: placeFlags(place),
  env: { ERRAND_TOKEN: token },
  [Symbol.asyncDispose]: async () => {},
}));

/** One process a call, on a machine without data. Nothing may be written there. */
export const overRemoteCommandLine = commandLine('the command line of another machine', async ({ origin }, token) => {
  const home = await temporaryFolder();
  return {
    flags: [],
    env: { HOME: home.path, XDG_CONFIG_HOME: `${home.path}/.config`, ERRAND_URL: origin, ERRAND_TOKEN: token },
    [Symbol.asyncDispose]: async () => {
      const written = await readdir(home.path);
      await home[Symbol.asyncDispose]();
      expect(written).toEqual([]);
    },
  };
});
