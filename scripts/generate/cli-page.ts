import type { Tool } from '../../packages/server/src/tools/catalog.ts';
import { EXIT_CODES } from '../../packages/server/src/transports/cli/exit-code.ts';
import { createProgram, everyCommand } from '../../packages/server/src/transports/cli/program.ts';
import { page } from './markdown.ts';

type Command = ReturnType<typeof createProgram>;

const nothing = async (): Promise<void> => {};

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

function section(command: Command): string {
  const help = command.configureHelp({ helpWidth: 100 }).helpInformation().trimEnd();
  return `## ${nameOf(command)}\n\n\`\`\`text\n${help}\n\`\`\``;
}

export function cliPage(tools: readonly Tool[], version: string): string {
  const program = createProgram(tools, version, {
    serve: nothing,
    mcp: nothing,
    worker: nothing,
    board: nothing,
    open: nothing,
    connect: nothing,
    step: nothing,
    login: nothing,
    logout: nothing,
    migrate: nothing,
    doctor: nothing,
    runTool: nothing,
  });
  const commands = everyCommand(program).filter((command) => command.commands.length === 0 || command === program);
  return page(
    '# Command line',
    `Every tool is a command. Answers go to stdout, failures to stderr; \`--json\` makes both one line of JSON. Exit codes: ${EXIT_CODES}.`,
    ...commands.map(section),
  );
}
