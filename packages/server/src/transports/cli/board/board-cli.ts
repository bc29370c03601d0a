import type { Call, Gateway, WireError } from '#gateway/gateway';
import type { TOOLS, Tool } from '#tools/catalog';
import { askTool } from '#transports/ask-tool';
import { asTyped } from '#transports/cli/as-typed';

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

/** How the everyday commands spell what the commands of the tools spell in their own way. */
const SPELLINGS: readonly (readonly [string, string])[] = [
  ['errand board list-tasks', 'errand task list'],
  ['errand board get-task', 'errand task show'],
  ['errand board list-task-attempts', 'errand task show'],
  ['errand board next-task', 'errand task next'],
  ['errand board list-executors', 'errand executors'],
  ['errand board start-task-attempt', 'errand run'],
  ['errand board follow-up', 'errand follow-up'],
  ['errand board tail-attempt', 'errand watch'],
  ['errand board get-attempt', 'errand watch'],
  ['errand board stop-attempt', 'errand stop'],
  ['errand board respond-approval', 'errand answer'],
  ['action "queue"', '--queue'],
  ['action "cancel"', '--cancel'],
  ['give answer.', 'give --text.'],
  ['Give answer, or an option.', 'Give --text, or one of its options.'],
  ['Give decision, or option:', 'Give --approve, --deny, or one of its options:'],
];

const everyday = (text: string): string =>
  SPELLINGS.reduce((said, [long, short]) => said.replaceAll(long, short), text);

/** Only what is approved can be refused for how it was decided. */
const FLAGS = { project_id: 'project', queued_id: 'cancel', answer: 'text', decision: 'approve' } as const;

/** A refusal in the words of these commands, which take ids by position. */
function spelled(tool: Tool, error: WireError): WireError {
  const positionals = ['task_id', 'attempt_id', 'approval_id', 'option'];
  const typed = asTyped({ ...tool, cli: { command: '', positionals, flags: FLAGS } }, error);
  return {
    ...typed,
    message: everyday(typed.message),
    ...(typed.hint !== undefined && { hint: everyday(typed.hint) }),
  };
}

export function openBoardCli({ gateway, caller, ...surroundings }: BoardCliOptions): BoardCli {
  return {
    ...surroundings,
    print: (...lines) => surroundings.write(lines.map((line) => `${line}\n`).join('')),
    ask: async (name, input) => {
      const asked = await askTool(gateway, { profile: 'board', name, input, caller, transport: 'cli' });
      if (asked.ok) return asked.value;
      const tool = gateway.find(name, 'board');
      throw new Refused(
        surroundings.json || tool === undefined ? asked.error : spelled(tool, asked.error),
        asked.status,
      );
    },
  };
}
