import type { Call, Gateway, WireError } from '#gateway/gateway';
import type { TOOLS } from '#tools/catalog';
import { askTool } from '#transports/ask-tool';
import { cliNaming, commandOf, type Spelling } from '#transports/cli/cli-naming';
import { callableBy, restNaming } from '#transports/naming';

type BoardTool = (typeof TOOLS)['board'][number];
export type BoardToolName = BoardTool['name'];
type TypesOf<Name> = NonNullable<Extract<BoardTool, { readonly name: Name }>['types']>;
export type AnswerOf<Name extends BoardToolName> = TypesOf<Name>['output'];

/** Lines that a person types while a command goes on. */
export interface TypedLines {
  /** The next one; null when there is none yet. */
  readonly take: () => string | null;
  readonly close: () => void;
}

/** The terminal, or what stands for it. */
export interface Surroundings {
  /** Writes to stdout, as it is. */
  readonly write: (text: string) => void;
  /** Says something on stderr, where stdout is for the answer alone. */
  readonly remark: (text: string) => void;
  /** Whether a person reads stdout. */
  readonly is_terminal: boolean;
  /** How many characters fit into a line; infinite where no terminal is. */
  readonly width: number;
  /** Listens for what is typed; null when nobody is there to type. */
  readonly listen: () => TypedLines | null;
  /** Resolves when the person wants the command to end. */
  readonly interrupted: () => Promise<void>;
}

/** Where the everyday commands of the board do their work. */
export interface BoardCli extends Surroundings {
  readonly json: boolean;
  /** Calls a tool of the board; its refusal is thrown. */
  readonly ask: <Name extends BoardToolName>(name: Name, input: TypesOf<Name>['input']) => Promise<AnswerOf<Name>>;
  readonly print: (...lines: readonly string[]) => void;
}

export interface BoardCliOptions extends Surroundings, Pick<BoardCli, 'json'> {
  readonly gateway: Gateway;
  readonly caller: Call['caller'];
}

/** That a tool has refused, on its way to whoever typed the command. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly error: WireError;
  readonly status: number;

  constructor(error: WireError, status: number) {
    super(error.message);
    this.error = error;
    this.status = status;
  }
}

/** The everyday commands that do what a tool of the board does. */
const COMMANDS: Readonly<Record<string, string>> = {
  list_tasks: 'task list',
  get_task: 'task show',
  list_task_attempts: 'task show',
  next_task: 'task next',
  list_executors: 'executors',
  start_task_attempt: 'run',
  follow_up: 'follow-up',
  tail_attempt: 'watch',
  get_attempt: 'watch',
  stop_attempt: 'stop',
  respond_approval: 'answer',
};

/** Only what is approved can be refused for how it was decided. */
const FLAGS: Readonly<Record<string, string>> = {
  project_id: '--project',
  queued_id: '--cancel',
  answer: '--text',
  decision: '--approve, --deny',
  option: 'one of its options',
  'about decision': '--approve',
  'about option': 'OPTION',
  'action queue': '--queue',
  'action cancel': '--cancel',
};

const POSITIONALS = ['task_id', 'attempt_id', 'approval_id'];

const SPELLING: Spelling = {
  command: (name) => COMMANDS[name] ?? commandOf(name),
  about: (name) => FLAGS[`about ${name}`] ?? typed(name),
  field: typed,
};

function typed(name: string, value?: string): string {
  if (POSITIONALS.includes(name)) return name.replaceAll('_', '-').toUpperCase();
  return FLAGS[value === undefined ? name : `${name} ${value}`] ?? `--${name.replaceAll('_', '-')}`;
}

export function openBoardCli({ gateway, caller, ...surroundings }: BoardCliOptions): BoardCli {
  const naming = surroundings.json ? restNaming(gateway, caller) : cliNaming(SPELLING, callableBy(gateway, caller));
  return {
    ...surroundings,
    print: (...lines) => surroundings.write(lines.map((line) => `${line}\n`).join('')),
    ask: async (name, input) => {
      const asked = await askTool(gateway, { profile: 'board', name, input, caller, transport: 'cli', naming });
      if (asked.ok) return asked.value;
      throw new Refused(asked.error, asked.status);
    },
  };
}
