import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRemoteTools } from '#clients/remote-tools';
import { ALL_SCOPES } from '#domain/scope';
import { ErrandError } from '#errors';
import { wireError } from '#gateway/outcome';
import { createServed } from '#testing/served';
import { typedLines } from '#testing/typed-words';
import { catalog } from '#tools/catalog';
import { runBoard } from './board/run-board.ts';
import type { Calls } from './calls.ts';
import { localCalls } from './local-calls.ts';
import { type Actions, createProgram, runProgram } from './program.ts';
import { remoteCalls } from './remote-calls.ts';
import { runTool, tellFailure } from './run-tool.ts';
import { wordsOf } from './tool-command.ts';

const PASSWORD = 'correct horse battery staple\n';

const nothing = async (): Promise<void> => {};

/** The tool of a line: building the commands of all tools takes longer than the call. */
const toolsOf = (words: readonly string[]) =>
  catalog.filter((tool) => wordsOf(tool).every((word, i) => word === words[i]));

/** Types one line, and returns what a person sees. */
async function typed(calls: Calls, words: readonly string[]) {
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
    const usage = await runProgram(createProgram(toolsOf(words), '1.2.3', actions), words);
    return { code: usage || code, said: masked(said.join('')) };
  } catch (error) {
    if (!(error instanceof ErrandError)) throw error;
    const { status, error: failure } = wireError(error, '');
    tellFailure(failure, words.includes('--json'));
    return { code: status, said: masked(said.join('')) };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
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

  beforeAll(async () => {
    const callsOf = async () => {
      const served = open.use(await createServed());
      const { token } = await served.world.token({ scopes: ALL_SCOPES, user_ids: undefined });
      return { served, token: String(token) };
    };
    const [there, here] = [await callsOf(), await callsOf()];
    remote = remoteCalls(createRemoteTools({ url: there.served.url, token: there.token }), '1.2.3');
    local = localCalls(here.served.world.gateway, await here.served.world.gateway.authenticate(here.token));
  });
  afterAll(() => open.disposeAsync());

  it('is among the lines that are typed', () => {
    expect(LINES.length).toBe(catalog.length + 2 * everyday.length);
  });

  it.each(LINES.map((words) => [words.join(' '), words] as const))(
    '[L-CLI] says the same on a server elsewhere: errand %s',
    async (_, words) => {
      expect(await typed(remote, words)).toEqual(await typed(local, words));
    },
  );
});
