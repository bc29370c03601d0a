import { type Argument, Command, CommanderError } from 'commander';
import { nearName } from '#gateway/closest-name';
import type { Tool } from '#tools/catalog';
import { PROFILES, type ProfileName } from '#tools/profiles';
import { CLIENT_NAMES } from '#transports/mcp-clients';
import { addBoard, type RunBoard } from './board/board-command.ts';
import { several } from './board/command-spec.ts';
import { BOARD_COMMANDS } from './board/commands.ts';
import { EXIT, EXIT_CODES } from './exit-code.ts';
import { WIDTH } from './print.ts';
import type { Screen } from './screen.ts';
import { addStep, type RunStep } from './step-command.ts';
import { addStoreOptions, type CommonFlags, type IsTyped, type RunTool, toolCommand, wordsOf } from './tool-command.ts';

export interface ServeFlags extends CommonFlags {
  readonly host?: string;
  readonly port?: string;
  readonly profile: ProfileName | 'all';
}

export interface WorkerFlags extends CommonFlags {
  readonly url?: string;
}

export interface OpenFlags extends CommonFlags {
  readonly user?: string;
}

export interface ConnectFlags extends CommonFlags {
  readonly url?: string;
  readonly apply?: boolean;
  readonly print?: boolean;
  readonly undo?: boolean;
  readonly project?: readonly string[];
  readonly projectFile?: boolean;
}

export interface LoginFlags {
  readonly tokenStdin?: boolean;
  readonly json?: boolean;
}

/** The work of the commands; each promise resolves when the work is done. */
export interface Actions {
  readonly serve: (flags: ServeFlags) => Promise<void>;
  readonly mcp: (flags: ServeFlags) => Promise<void>;
  readonly worker: (flags: WorkerFlags) => Promise<void>;
  readonly open: (flags: OpenFlags) => Promise<void>;
  readonly connect: (client: string | undefined, flags: ConnectFlags) => Promise<void>;
  readonly login: (url: string, flags: LoginFlags) => Promise<void>;
  readonly logout: (flags: Pick<LoginFlags, 'json'>) => Promise<void>;
  readonly board: RunBoard;
  readonly step: RunStep;
  readonly migrate: (flags: CommonFlags) => Promise<void>;
  readonly doctor: (flags: CommonFlags) => Promise<void>;
  readonly runTool: RunTool;
}

const GROUPS: Readonly<Record<string, string>> = {
  board: 'The board: tasks, attempts, agents at work',
  tasker: 'Tasks of projects, as issues: search, create, move, comment',
  user: 'People of the workspace',
  workspace: 'The workspace itself',
  project: 'Projects',
  label: 'Labels of projects',
  state: 'States of projects',
  member: 'Members of projects',
  repo: 'Repositories of projects',
  agent: 'Agents and what they may do',
  'sign-in': 'Links and passwords that sign a browser in',
  session: 'Browsers that are signed in',
  token: 'Tokens',
  audit: 'The audit trail',
};

/** The headings of the list of commands. */
const HEADINGS: readonly (readonly [heading: string, ...names: string[]])[] = [
  ['The server:', 'serve', 'open', 'connect', 'login', 'logout', 'doctor', 'mcp', 'worker', 'migrate'],
  ['Tasks and agents:', ...BOARD_COMMANDS.map(({ words }) => words.split(' ', 1)[0] ?? ''), 'step'],
  ['Every tool, by profile:', ...Object.keys(PROFILES)],
];
/** The commands of the tools that administer: each names its own group. */
const OTHERS = 'Administration:';

const headingOf = (command: Command): string =>
  HEADINGS.find(([, ...names]) => names.includes(command.name()))?.[0] ?? OTHERS;

const EXAMPLES = `
Examples:
  errand                                    start the server
  errand doctor                             say what keeps Errand from working
  errand run --title "Fix it" --wait        start an agent on a new task
  errand task list --ready --json           what can be begun, for a script
  errand todo add-task --title "Buy milk"   add to your own todo list
  errand step "Build" -- make               run a command as a step of a run

Exit codes:
  ${EXIT_CODES}`;

const mcpProfiles = ['all', ...Object.entries(PROFILES).flatMap(([name, { mcp }]) => (mcp ? [name] : []))];

function profileOption(command: Command, says: string): Command {
  return command.addOption(command.createOption('--profile <name>', says).choices(mcpProfiles).default('all'));
}

function addServe(program: Command, actions: Actions): void {
  const serve = program
    .command('serve')
    .description('Start the server: MCP, REST, web board and docs on one address. errand alone does the same.')
    .option('--host <address>', 'where to listen (ERRAND_HOST, default 127.0.0.1)')
    .option('--port <n>', 'the port, 0 for any free one (ERRAND_PORT, default 8080)');
  addStoreOptions(profileOption(serve, 'the tools at /mcp'));
  serve.action((flags: ServeFlags) => actions.serve(flags));
}

function addMcp(program: Command, actions: Actions): void {
  const mcp = program
    .command('mcp')
    .summary('Speak MCP over stdin and stdout, for one agent.')
    .description(
      'Speak MCP over stdin and stdout, for one agent. With --profile executions it opens no database: it sends reports to the Task Manager at TASK_MANAGER_HOST and TASK_MANAGER_PORT, and also reads TASK_MANAGER_TIMEOUT, TASK_MANAGER_TOKEN and USE_MOCK_CLIENT.',
    );
  addStoreOptions(profileOption(mcp, 'the tools to serve'));
  mcp.action((flags: ServeFlags) => actions.mcp(flags));
}

function addWorker(program: Command, actions: Actions): void {
  const worker = program
    .command('worker')
    .summary('Run attempts for a server on the same database.')
    .description(
      'Run attempts and MCP tasks for a server on the same database. The server runs them too; each further worker lets more run at once. A worker on another machine needs the repositories at the same paths.',
    )
    .option('--url <url>', 'the address at which its agents reach the server (ERRAND_URL)');
  addStoreOptions(worker);
  worker.action((flags: WorkerFlags) => actions.worker(flags));
}

function addOpen(program: Command, actions: Actions): void {
  const open = program
    .command('open')
    .summary('Print a link that signs one browser in.')
    .description(
      'Print a link that signs one browser in to the server that runs on this data. The link works once, within a day.',
    )
    .option('--user <name>', 'the person to sign in, by name or id (default: you)');
  addStoreOptions(open).option('--json', 'answer as one line of JSON');
  open.action((flags: OpenFlags) => actions.open(flags));
}

function addConnect(program: Command, actions: Actions): void {
  const connect = program
    .command('connect')
    .summary('Connect a coding agent on this machine to Errand. Without a name: list those that it finds.')
    .description(
      'Connect a coding agent on this machine to Errand: Errand makes one agent for it and writes one entry into its configuration. A second call updates both instead of adding others. Without --apply or --print it shows what it would do and changes nothing. Without a name it lists the coding agents that it finds.',
    )
    .argument('[client]', `one of ${CLIENT_NAMES}`)
    .option('--apply', "write the entry, with a token, into the client's configuration")
    .option('--print', 'print the entry with a token, for another machine or another client')
    .option('--undo', "remove the entry from the client's configuration and revoke the agent")
    .option(
      '--project <name>',
      'a project that the agent may work in, by name or id; may be repeated (default: all)',
      several,
    )
    .option('--project-file', 'for vscode: write .vscode/mcp.json in this folder; VS Code then asks for the token')
    .option('--url <url>', 'the address of the server (default: the one that runs on this data)');
  addStoreOptions(connect).option('--json', 'answer as one line of JSON');
  connect.action((client: string | undefined, flags: ConnectFlags) => actions.connect(client, flags));
}

function addLogin(program: Command, actions: Actions): void {
  program
    .command('login')
    .summary('Have the commands work on a server elsewhere.')
    .description(
      'Have the commands work on a server elsewhere. Asks for a token of that server without showing it, tries it, and keeps both in login.json of your configuration folder, which only you can read. ERRAND_URL and ERRAND_TOKEN do the same for one shell.',
    )
    .argument('<url>', 'the address of the server, such as https://errand.example.com')
    .option('--token-stdin', 'read the token from stdin')
    .option('--json', 'answer as one line of JSON')
    .action((url: string, flags: LoginFlags) => actions.login(url, flags));
  program
    .command('logout')
    .description('Have the commands work on the data of this machine again.')
    .option('--json', 'answer as one line of JSON')
    .action((flags: LoginFlags) => actions.logout(flags));
}

function addMigrate(program: Command, actions: Actions): void {
  const migrate = program
    .command('migrate')
    .description(
      'Create the database or bring its schema up to date, and print what was done. The server does the same when it starts.',
    );
  addStoreOptions(migrate).option('--json', 'answer as one line of JSON');
  migrate.action((flags: CommonFlags) => actions.migrate(flags));
}

function addDoctor(program: Command, actions: Actions): void {
  const doctor = program
    .command('doctor')
    .summary('Say what keeps Errand from working, and what to do about it.')
    .description(
      'Say what keeps Errand from working, and what to do about it: looks at Node, git, the agents on the PATH, the data folder, the database, the server, config.json and the clock, or at the server that the commands work on. Changes and creates nothing. The exit code is 1 when something does not work.',
    );
  addStoreOptions(doctor).option('--json', 'answer as one line of JSON');
  doctor.action((flags: CommonFlags) => actions.doctor(flags));
}

function addTools(program: Command, tools: readonly Tool[], { runTool, isTyped }: AddedTools): void {
  const groups = new Map<string, Command>();
  for (const tool of tools) {
    const [name = ''] = wordsOf(tool);
    const known = groups.get(name);
    const group = known ?? program.command(name).description(GROUPS[name] ?? PROFILES[tool.profile].title);
    groups.set(name, group);
    if (isTyped(name)) group.addCommand(toolCommand(tool, runTool, isTyped));
  }
}

interface AddedTools {
  readonly runTool: RunTool;
  readonly isTyped: IsTyped;
}

/** Whether one of the typed words names a command, as a person or as MCP spells it. */
export function typedIn(words: readonly string[] | null): IsTyped {
  if (words === null) return () => true;
  const names = new Set(words.map((word) => word.replaceAll('_', '-')));
  return (name, group) => names.has(name) || (group !== undefined && names.has(`${group}-${name}`));
}

/**
 * Makes the commands. With the words that were typed, only the commands that these name get their options, and only the
 * groups that these name get their commands: the schemas of all tools take longer than most commands.
 */
export function createProgram(
  tools: readonly Tool[],
  version: string,
  actions: Actions,
  typed: readonly string[] | null = null,
): Command {
  const isTyped = typedIn(typed);
  const program = new Command('errand')
    .description('The task server for AI agents.')
    .version(version, '-V, --version')
    .addHelpText('after', EXAMPLES);
  addServe(program, actions);
  addMcp(program, actions);
  addWorker(program, actions);
  addOpen(program, actions);
  addConnect(program, actions);
  addLogin(program, actions);
  addBoard(program, actions.board, isTyped);
  addStep(program, actions.step);
  addMigrate(program, actions);
  addDoctor(program, actions);
  addTools(program, tools, { runTool: actions.runTool, isTyped });
  for (const command of program.commands) command.helpGroup(headingOf(command));
  for (const command of everyCommand(program)) {
    command.exitOverride().configureOutput(ERRORS).showHelpAfterError(helpHint(command)).configureHelp(HELP);
    // Groups of commands use `suggest` instead.
    if (command.commands.length > 0) command.showSuggestionAfterError(false);
  }
  return program;
}

/** Lists of commands leave `[options]` out, and the long list arguments too: the descriptions have to fit on a terminal. */
const HELP = {
  minWidthToWrap: 24,
  subcommandTerm: (command: Command): string =>
    command.parent?.parent === null
      ? command.name()
      : [command.name(), ...command.registeredArguments.map(argumentTerm)].join(' '),
};

const argumentTerm = (argument: Argument): string => {
  const words = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${words}>` : `[${words}]`;
};

/** The words of a command, from `errand` on. */
const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

const helpHint = (command: Command): string =>
  `(${pathOf(command)} --help shows ${command.commands.length > 0 ? 'its commands' : 'what it takes'})`;

const ERRORS = {
  outputError: (text: string, write: (text: string) => void): void => write(text.replace(/^error: /, 'errand: ')),
};

const JSON_ERRORS = {
  outputError: (text: string, write: (text: string) => void): void => {
    const [first = ''] = text.split('\n');
    write(
      `${JSON.stringify({ error: { code: 'usage', message: first.replace(/^error: /, ''), retryable: false } })}\n`,
    );
  },
};

export const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)];

const ASKS_ABOUT = new Set(['-h', '--help', '-V', '--version', 'help']);

/** Adds `serve` when no command is typed: `errand` alone starts the server. */
export const withDefault = (argv: readonly string[]): readonly string[] => {
  const [first] = argv;
  const isCommand = first !== undefined && (ASKS_ABOUT.has(first) || !first.startsWith('-'));
  return isCommand ? argv : ['serve', ...argv];
};

/** Accepts a tool's own name as well: `todo todo_add_task` and `todo add_task` become `todo add-task`. */
function withShortName(program: Command, argv: readonly string[]): readonly string[] {
  const [group, name, ...rest] = argv;
  if (group === undefined) return argv;
  const commands = program.commands.find((command) => command.name() === group)?.commands ?? [];
  const typed = name?.replaceAll('_', '-');
  const meant = commands.find((command) => typed === command.name() || typed === `${group}-${command.name()}`);
  return meant === undefined ? argv : [group, meant.name(), ...rest];
}

/** Refuses help about an unknown command. Commander would print the general help and not mention the mistake. */
function mustKnowHelp(program: Command, [first, name]: readonly string[]): void {
  if (first !== 'help' || name === undefined || name.startsWith('-')) return;
  if (name === 'help' || program.commands.some((command) => command.name() === name)) return;
  program.error(`error: unknown command '${name}'`, { code: 'commander.unknownCommand' });
}

/** Suggests the command that differs by one letter; a merely similar word would mislead. */
function suggest(program: Command, argv: readonly string[]): void {
  const [group, name] = argv[0] === 'help' ? argv.slice(1) : argv;
  const known = program.commands.find((command) => command.name() === group);
  const [place, typed = ''] = known === undefined ? [program, group] : [known, name];
  const meant = nearName(
    typed,
    place.commands.map((command) => command.name()),
  );
  if (meant !== null) place.configureOutput().writeErr?.(`Did you mean ${pathOf(place)} ${meant}?\n`);
}

/** Prints help and mistakes of the command line on another screen. */
const printingOn = ({ out, err, is_terminal, columns, error_columns, has_colours }: Screen) => ({
  writeOut: (text: string): void => void out(text),
  writeErr: err,
  getOutHelpWidth: () => (is_terminal ? (columns ?? WIDTH) : WIDTH),
  getErrHelpWidth: () => error_columns ?? WIDTH,
  getOutHasColors: () => has_colours,
});

/** Runs one command line. A wrong one gets exit code 2; failures of the command itself are thrown. */
export async function runProgram(program: Command, argv: readonly string[], screen?: Screen): Promise<number> {
  if (screen !== undefined) {
    for (const command of everyCommand(program)) command.configureOutput(printingOn(screen));
  }
  if (argv.includes('--json')) {
    for (const command of everyCommand(program)) command.configureOutput(JSON_ERRORS).showHelpAfterError(false);
  }
  try {
    mustKnowHelp(program, argv);
    await program.parseAsync(withShortName(program, argv), { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.unknownCommand' && !argv.includes('--json')) suggest(program, argv);
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
}
