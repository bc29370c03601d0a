import type { Command } from 'commander';
import { catalog, type Tool } from '#tools/catalog';
import { addStoreOptions, type CommonFlags, camel, type IsTyped } from '#transports/cli/tool-command';
import { fieldsOf } from '#transports/fields';
import type { BoardCli } from './board-cli.ts';
import type { BoardCommand } from './command-spec.ts';
import { BOARD_COMMANDS } from './commands.ts';

/** The work of one board command; resolves with the exit code. */
export type BoardWork = (cli: BoardCli) => Promise<number>;
/** Only with `write` may the command create a database. */
export type RunBoard = (work: BoardWork, flags: CommonFlags, access: 'read' | 'change' | 'write') => Promise<void>;

const GROUPS: Readonly<Record<string, string>> = {
  task: 'Tasks of the board: add, list, show, change, take and finish them',
};

const mainTool = ({ does: [main] }: BoardCommand): Tool | undefined =>
  catalog.find(({ full_name }) => full_name === main);

/** `--blocked-by <ids>` and `[blocked-by]` are the field blocked_by. */
const nameIn = (typed: string): string => (/[a-z][a-z-]*/.exec(typed)?.[0] ?? typed).replaceAll('-', '_');

const helpOf = (tool: Tool | undefined, typed: string): string =>
  tool === undefined ? '' : (fieldsOf(tool).find(({ name }) => name === nameIn(typed))?.description ?? '');

/** The parent of a command: the program, or the group that its first word names. */
function parentOf(program: Command, words: readonly string[]): Command {
  const [group = ''] = words;
  if (words.length === 1) return program;
  const known = program.commands.find((command) => command.name() === group);
  return known ?? program.command(group).description(GROUPS[group] ?? '');
}

function addCommand(program: Command, spec: BoardCommand, { runBoard, isTyped }: AddedBoard): void {
  const words = spec.words.split(' ');
  const isWhole = isTyped(words.at(-1) ?? '');
  const command = addStoreOptions(parentOf(program, words).command(words.at(-1) ?? ''))
    .option('--json', 'answer in lines of JSON')
    .summary(spec.help)
    .description(spec.more_help === undefined ? spec.help : `${spec.help} ${spec.more_help}`);
  const tool = mainTool(spec);
  for (const take of spec.takes) {
    const [typed, help, read] = typeof take === 'string' ? [take, isWhole ? helpOf(tool, take) : ''] : take;
    if (!typed.startsWith('-')) command.argument(typed, help);
    else if (read === undefined) command.option(typed, help);
    else command.option(typed, help, read);
  }

  command.action((...args: unknown[]) => {
    const flags = command.opts<CommonFlags & Readonly<Record<string, unknown>>>();
    const positional = new Map(command.registeredArguments.map((argument, i) => [nameIn(argument.name()), args[i]]));
    const order = spec.takes.flatMap((take) => {
      const name = nameIn(typeof take === 'string' ? take : take[0]);
      const value = positional.get(name) ?? flags[camel(name)];
      return value === undefined ? [] : [[name, value]];
    });
    // Safe: Commander passes the values under the names in `takes`.
    const work: BoardWork = (cli) => spec.work(cli, Object.fromEntries(order) as never);
    const isReading = tool?.effect === 'read' && spec.writes !== true;
    return runBoard(work, flags, spec.adds === true ? 'write' : isReading ? 'read' : 'change');
  });
}

interface AddedBoard {
  readonly runBoard: RunBoard;
  /** Only commands that are typed need the help of their options, which is in the schemas of tools. */
  readonly isTyped: IsTyped;
}

export function addBoard(program: Command, runBoard: RunBoard, isTyped: IsTyped = () => true): void {
  for (const spec of BOARD_COMMANDS) addCommand(program, spec, { runBoard, isTyped });
}
