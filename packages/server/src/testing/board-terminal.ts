import { Command } from 'commander';
import type { Caller } from '#domain/caller';
import type { Terminal } from '#transports/cli/board/board-cli';
import { addBoard } from '#transports/cli/board/board-command';
import { openBoardCli } from '#transports/cli/board/open-board-cli';
import { localCalls } from '#transports/cli/local-calls';
import type { World } from './world.ts';

interface Scene extends Partial<Pick<Terminal, 'is_terminal' | 'width' | 'paint' | 'listen' | 'interrupted'>> {
  readonly caller?: Caller;
}

const never = new Promise<void>(() => {});

/** Runs everyday commands of the board, and returns their output. Refusals are thrown. */
export function createBoardTerminal(world: World, { caller = world.owner, ...scene }: Scene = {}) {
  const said: string[] = [];
  const remarks: string[] = [];

  const type = async (...words: string[]): Promise<{ code: number; out: string; remarks: string }> => {
    said.length = 0;
    remarks.length = 0;
    let code = -1;
    const program = new Command('errand').exitOverride();
    addBoard(program, async (work, { json = false }) => {
      const cli = openBoardCli({
        calls: localCalls(world.gateway, caller),
        json,
        write: (text) => void said.push(text),
        remark: (text) => void remarks.push(`${text}\n`),
        is_terminal: false,
        width: Number.POSITIVE_INFINITY,
        paint: (text) => text,
        listen: () => null,
        interrupted: () => never,
        ...scene,
      });
      code = await work(cli);
    });
    await program.parseAsync(words, { from: 'user' });
    return { code, out: said.join(''), remarks: remarks.join('') };
  };

  return {
    type,
    /** The output so far of the running command. */
    soFar: (): string => said.join(''),
    json: async (...words: string[]): Promise<Record<string, unknown>> =>
      JSON.parse((await type(...words, '--json')).out) as Record<string, unknown>,
  };
}
