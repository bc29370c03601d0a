import type { Command } from 'commander';
import { everyCommand } from '#transports/cli/program';

/** Commands that are local by nature, or whose work is no call of a tool. */
const LOCAL: ReadonlySet<string> = new Set([
  'serve',
  'mcp',
  'worker',
  'migrate',
  'step',
  'login',
  'logout',
  'connect',
  'open',
]);

const pathOf = (command: Command): readonly string[] =>
  command.parent === null ? [] : [...pathOf(command.parent), command.name()];

/** A value that any field takes or refuses in words: it names nothing that exists. */
const VALUE = 'nothing-such';

/** A whole line for every command that calls tools: its words, its arguments, and `more`. */
export const typedLines = (program: Command, more: readonly string[] = []): readonly (readonly string[])[] =>
  everyCommand(program)
    .filter((command) => command.commands.length === 0 && !LOCAL.has(pathOf(command)[0] ?? ''))
    .map((command) => [
      ...pathOf(command),
      ...command.registeredArguments.filter(({ required }) => required).map(() => VALUE),
      ...more,
    ]);
