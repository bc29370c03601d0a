import { commandOf, type Spelling } from '#transports/cli/cli-naming';
import { dashed } from '#transports/cli/tool-command';
import { BOARD_COMMANDS } from './commands.ts';

/** The command for each tool: the first one that does its work. */
const COMMANDS = new Map<string, string>(
  BOARD_COMMANDS.flatMap(({ words, does }) => does.map((tool) => [tool, words] as const)).toReversed(),
);

const SPELLED = new Map(BOARD_COMMANDS.flatMap(({ spells = {} }) => Object.entries(spells)));

/** The positional fields. */
const POSITIONALS = new Set(
  BOARD_COMMANDS.flatMap(({ takes }) =>
    takes.map((take) => /^[<[]([a-z-]+)/.exec(typeof take === 'string' ? take : take[0])?.[1] ?? ''),
  ),
);

const isPositional = (name: string): boolean => POSITIONALS.has(dashed(name));
const inCapitals = (name: string): string => dashed(name).toUpperCase();

function fieldOf(name: string, value?: string): string {
  const spelled = SPELLED.get(value === undefined ? name : `${name} ${value}`);
  return spelled ?? (isPositional(name) ? inCapitals(name) : `--${dashed(name)}`);
}

/** How the everyday commands spell tools and fields. */
export const BOARD_SPELLING: Spelling = {
  command: (name) => COMMANDS.get(name) ?? commandOf(name),
  field: fieldOf,
  // The first of several flags: a denial is never refused for its decision.
  about: (name) => (isPositional(name) ? inCapitals(name) : (fieldOf(name).split(', ')[0] ?? name)),
};
