import type { Call, Gateway } from '#gateway/gateway';
import { askTool } from '#transports/ask-tool';
import { cliNaming } from '#transports/cli/cli-naming';
import { EXIT } from '#transports/cli/exit-code';
import { callableBy, restNaming } from '#transports/naming';
import { type BoardCli, Refused, type Terminal } from './board-cli.ts';
import { BOARD_SPELLING } from './spelling.ts';

export interface BoardCliOptions extends Terminal, Pick<BoardCli, 'json'> {
  readonly gateway: Gateway;
  readonly caller: Call['caller'];
}

export function openBoardCli({ gateway, caller, ...terminal }: BoardCliOptions): BoardCli {
  const naming = terminal.json ? restNaming(gateway, caller) : cliNaming(BOARD_SPELLING, callableBy(gateway, caller));
  const print: BoardCli['print'] = (...lines) => terminal.write(lines.map((line) => `${line}\n`).join(''));
  const tell: BoardCli['tell'] = (answer, ...lines) => print(...(terminal.json ? [JSON.stringify(answer)] : lines));
  const ask: BoardCli['ask'] = async (name, input) => {
    const asked = await askTool(gateway, { profile: 'board', name, input, caller, transport: 'cli', naming });
    if (asked.ok) return asked.value;
    throw new Refused(asked.error, asked.status);
  };
  return {
    ...terminal,
    print,
    tell,
    ask,
    call: async (name, input, linesOf) => {
      const answer = await ask(name, input);
      tell(answer, ...linesOf(answer));
      return EXIT.ok;
    },
  };
}
