import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRemoteTools } from '#clients/remote-tools';
import { createTokenThere } from '#compose-commands';
import { readConfig } from '#config';
import { ALL_SCOPES } from '#domain/scope';
import { createServed } from '#testing/served';
import { typedLines } from '#testing/typed-words';
import { catalog } from '#tools/catalog';
import { askRunning } from './ask-running.ts';
import { runBoard } from './board/run-board.ts';
import type { Calls } from './calls.ts';
import { commandPlace } from './command-place.ts';
import { openCommandSocket } from './command-socket.ts';
import { localCalls } from './local-calls.ts';
import { type Actions, createProgram, runProgram } from './program.ts';
import { remoteCalls } from './remote-calls.ts';
import { runTool, tellThrown } from './run-tool.ts';
import { wordsOf } from './tool-command.ts';

const PASSWORD = 'correct horse battery staple\n';

/** The code of a line that the server leaves to the process that typed it. */
const NOT_RUN = -1;
/** Lines that read files, paths or secrets where they are typed, or listen to keys. */
const OWN: ReadonlySet<string> = new Set([
  ...['watch', 'doctor', 'user password', 'user change-password', 'sign-in password', 'sign-in first-admin'],
  'repo add',
  'import',
]);

const nothing = async (): Promise<void> => {};

/** The tool of a line: building the commands of all tools takes longer than the call. */
const toolsOf = (words: readonly string[]) =>
  catalog.filter((tool) => wordsOf(tool).every((word, i) => word === words[i]));

/** Collects what is printed while some work goes on. */
async function printed(work: () => Promise<number>) {
  const said: string[] = [];
  const catching = (stream: NodeJS.WriteStream) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      said.push(String(text));
      return true;
    });
  // A password is the first line of stdin, which a test's own never ends.
  const input = vi.spyOn(process, 'stdin', 'get').mockImplementation(() => Readable.from([PASSWORD]) as never);
  const spies = [catching(process.stdout), catching(process.stderr), input];
  try {
    return { code: await work(), said: masked(said.join('')) };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Types one line, and returns what a person sees. */
function typed(calls: Calls, words: readonly string[]) {
  let code = 0;
  const actions: Actions = {
    ...{ serve: nothing, mcp: nothing, worker: nothing, open: nothing, connect: nothing, step: nothing },
    ...{ login: nothing, logout: nothing, migrate: nothing, doctor: nothing },
    board: async (work, { json = false }) => {
      code = await runBoard(calls, json, work);
    },
    runTool: async (tool, input, { json = false }) => {
      code = await runTool({ calls, tool, input, json });
    },
  };
  return printed(async () => {
    try {
      const usage = await runProgram(createProgram(toolsOf(words), '1.2.3', actions), words);
      return usage || code;
    } catch (error) {
      return tellThrown(error, words.includes('--json'));
    }
  });
}

/** Leaves out what differs from call to call: ids, keys, tokens, hashes over them, and figures of the process. */
const masked = (text: string): string =>
  (text.includes('p99 ms') ? text.replaceAll(/\d[\d.]*/g, 'N').replaceAll(/ +/g, ' ') : text)
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'HASH')
    // `errand status` says where it looked.
    .replaceAll(/"server":(?:null|"[^"]*")|Data of this machine|Server http\S+(?=,)/g, 'PLACE')
    .replaceAll(/errand_\w+_[\w-]+/g, 'TOKEN')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, 'ID')
    .replaceAll(/("key":"|^key +)[\w-]{22}/gm, '$1KEY');

const everyday = typedLines(createProgram([], '1.2.3', {} as Actions));
const LINES = [
  ...typedLines(createProgram(catalog, '1.2.3', {} as Actions)),
  // The words of a script come the same way for all of them.
  ...everyday.map((line) => [...line, '--json']),
];

describe('every command of the catalogue', () => {
  const open = new AsyncDisposableStack();
  let remote: Calls;
  let local: Calls;
  let beside: Calls;
  let data: string;
  let env: Readonly<Record<string, string>>;
  const report = (error: unknown): never => {
    throw error;
  };

  beforeAll(async () => {
    const callsOf = async () => {
      const served = open.use(await createServed());
      const { token } = await served.world.token({ scopes: ALL_SCOPES, user_ids: undefined });
      // A change begins the conversation at once. One that a read begins is stored some time later.
      await served.world.ask('todo_add_task', { user_id: 'me', title: 'Begin' });
      return { served, token: String(token) };
    };
    const [there, here] = [await callsOf(), await callsOf()];
    remote = remoteCalls(createRemoteTools({ url: there.served.url, token: there.token }), '1.2.3');
    local = localCalls(here.served.world.gateway, await here.served.world.gateway.authenticate(here.token));
    data = mkdtempSync(join(tmpdir(), 'errand-commands-'));
    open.defer(() => rmSync(data, { recursive: true, force: true }));
    const { served, token } = await callsOf();
    const { gateway } = served.world;
    beside = localCalls(gateway, await gateway.authenticate(token));
    env = { ERRAND_TOKEN: token, ERRAND_DATA: data };
    const needs = {
      gateway,
      tools: catalog,
      version: '1.2.3',
      tokenThere: createTokenThere(readConfig(env, {})),
      report,
    };
    open.defer(await openCommandSocket({ ...needs, place: commandPlace(data) }));
  });
  afterAll(() => open.disposeAsync());

  it('is among the lines that are typed', () => {
    expect(LINES.length).toBe(catalog.length + 2 * everyday.length);
  });

  it.each(LINES.map((words) => [words.join(' '), words] as const))(
    '[L-CLI] says the same on a server elsewhere, and through the one that runs on the data: errand %s',
    async (_, words) => {
      const here = await typed(local, words);
      const through = await printed(async () => (await askRunning({ words, env, version: '1.2.3' })) ?? NOT_RUN);
      const isOwn = OWN.has(words[0] ?? '') || OWN.has(words.slice(0, 2).join(' '));

      expect(await typed(remote, words)).toEqual(here);
      if (isOwn) expect(through).toEqual({ code: NOT_RUN, said: '' });
      expect(isOwn ? await typed(beside, words) : through).toEqual(here);
    },
  );

  it('leaves command lines that read a file to their own process', async () => {
    const words = ['project', 'add', 'Docs', '--card-guide', 'guide.md'];

    expect(await askRunning({ words, env, version: '1.2.3' })).toBeNull();
  });
});
