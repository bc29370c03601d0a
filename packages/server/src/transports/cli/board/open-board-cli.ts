import type { Calls } from '#transports/cli/calls';
import { EXIT } from '#transports/cli/exit-code';
import type { BoardCli, Terminal } from './board-cli.ts';

export interface BoardCliOptions extends Terminal, Pick<BoardCli, 'json'> {
  readonly calls: Calls;
}

export function openBoardCli({ calls, ...terminal }: BoardCliOptions): BoardCli {
  const wording = terminal.json ? 'json' : 'everyday';
  const print: BoardCli['print'] = (...lines) => terminal.write(lines.map((line) => `${line}\n`).join(''));
  const tell: BoardCli['tell'] = (answer, ...lines) => print(...(terminal.json ? [JSON.stringify(answer)] : lines));
  const ask: BoardCli['ask'] = (name, input) => calls.ask('board', name, input, wording);
  return {
    ...terminal,
    address: calls.address,
    print,
    tell,
    ask,
    askOther: (profile, name, input) => calls.ask(profile, name, input, wording),
    call: async (name, input, linesOf) => {
      const answer = await ask(name, input);
      tell(answer, ...linesOf(answer));
      return EXIT.ok;
    },
  };
}
