import type { AnswerOrder } from './answer.ts';
import type { BoardCli, BoardToolName, InputOf } from './board-cli.ts';
import type { DiffOrder } from './diff.ts';
import type { FollowUpOrder } from './follow-up.ts';
import { plainLine } from './plain.ts';
import type { InProject } from './project.ts';
import type { RunOrder } from './run.ts';
import type { Listing } from './tasks.ts';

/**
 * An argument or an option: its spelling, its help, and how several values are read. One that is spelled
 * like a field of the main tool, and means the same, uses that field's help.
 */
export type Take =
  | string
  | readonly [typed: string, help: string, read?: (value: string, before?: readonly string[]) => readonly string[]];

interface Spec<Order> {
  readonly words: string;
  /** The tools that the command calls, the main one first: advice to call one of them names this command. */
  readonly does: readonly [BoardToolName, ...BoardToolName[]];
  readonly help: string;
  /** Help that the list of commands leaves out. */
  readonly more_help?: string;
  readonly takes: readonly Take[];
  /** Fields that are not spelled `--field` or `--field value`. */
  readonly spells?: Readonly<Record<string, string>>;
  /** Does the work of the command; resolves with the exit code. Its module is loaded only when it is typed. */
  readonly work: (cli: BoardCli, order: Order) => Promise<number>;
}

/** The keys of an order are the names in `takes`: checked here, dropped for the table. */
export type BoardCommand = Spec<never>;
const command = <Order>(spec: Spec<Order>): BoardCommand => spec as BoardCommand;

export const several = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...value.split(','),
];

/** Repeated flags, not commas: names of branches may contain commas. */
const repeated = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

const TASK: Take = ['<task-id>', 'the task, by id'];
const ATTEMPT: Take = ['<attempt-id>', 'the attempt, by id'];
const PROJECT: Take = ['--project <name>', 'the project, by name or id (default: the only one with a repository)'];
const WAIT: Take = ['--wait', 'watch until the agent has ended; exit code 0 when it has completed'];
const BLOCKED_BY: Take = ['--blocked-by <ids>', 'tasks that must be completed before, by id', several];
const IN_PROJECT = { project_id: '--project' };

type NewTask = Pick<InputOf<'create_task'>, 'title' | 'description' | 'blocked_by'> & InProject;
type OfTask = Pick<InputOf<'get_task'>, 'task_id'>;
type OfAttempt = Pick<InputOf<'get_attempt'>, 'attempt_id'>;

/** Adds the everyday commands of the board, each of which calls a few board tools. */
export const BOARD_COMMANDS: readonly BoardCommand[] = [
  command<NewTask>({
    words: 'task add',
    does: ['create_task'],
    help: 'Add a task and print its id.',
    takes: ['<title>', PROJECT, '--description <text>', BLOCKED_BY],
    spells: IN_PROJECT,
    work: async (cli, { project, ...task }) => {
      const { project_id } = await (await import('./project.ts')).projectOf(cli, project);
      return cli.call('create_task', { project_id, ...task }, ({ task_id }) => [task_id]);
    },
  }),
  command<Listing>({
    words: 'task list',
    does: ['list_tasks'],
    help: 'List the tasks of a project.',
    takes: [PROJECT, '--status <status>', ['--ready', 'only those that could be begun now']],
    spells: IN_PROJECT,
    work: async (cli, order) => (await import('./tasks.ts')).listTasks(cli, order),
  }),
  command<OfTask>({
    words: 'task show',
    does: ['get_task', 'list_task_attempts'],
    help: 'Show a task with its description, and the attempts at it.',
    takes: [TASK],
    work: async (cli, { task_id }) => (await import('./tasks.ts')).showTask(cli, task_id),
  }),
  command<Pick<Listing, 'project'>>({
    words: 'task next',
    does: ['next_task'],
    help: 'Take the first task that errand task list --ready shows, and have it for 30 minutes.',
    takes: [PROJECT],
    spells: IN_PROJECT,
    work: async (cli, { project }) => (await import('./tasks.ts')).takeNext(cli, project),
  }),
  command<OfTask>({
    words: 'task done',
    does: ['update_task'],
    help: 'Mark a task as done.',
    takes: [TASK],
    work: (cli, { task_id }) =>
      cli.call('update_task', { task_id, status: 'done' }, ({ title }) => [`Done: ${plainLine(title)}`]),
  }),
  command<RunOrder>({
    words: 'run',
    does: ['start_task_attempt'],
    help: 'Have an agent work on a task, on a git branch of its own.',
    more_help:
      'The running server (errand serve) starts the agent; without --wait this only prints what to watch it with.',
    takes: [
      ['[task-id]', 'the task, by id; or make one with --title'],
      ['--title <text>', 'make a task of this title first'],
      ['--description <text>', 'what is to be done and why, for a task that is made'],
      PROJECT,
      ['--executor <name>', 'the agent, as errand executors names it (default: the only one that is ready)'],
      ['--variant <name>', 'another way to run it, as errand executors names it'],
      [
        '--repo <repo>',
        'a repository, by name or id, with :BRANCH to begin from; may be repeated (default: all of the project)',
        repeated,
      ],
      '--prompt <text>',
      WAIT,
    ],
    spells: IN_PROJECT,
    work: async (cli, order) => (await import('./run.ts')).runTask(cli, order),
  }),
  command<OfAttempt>({
    words: 'watch',
    does: ['tail_attempt', 'get_attempt'],
    help: 'Show what the agent of an attempt does, until it has ended.',
    more_help:
      'Exit code 0 when it has completed. On a terminal a question can be answered right there. Ctrl-C ends the watching, not the agent.',
    takes: [ATTEMPT],
    work: async (cli, { attempt_id }) => (await import('./watch.ts')).watch(cli, attempt_id),
  }),
  command<AnswerOrder>({
    words: 'answer',
    does: ['respond_approval'],
    help: 'Answer a question of an agent, which waits for it: give one of its options, --approve, --deny or --text.',
    takes: [
      ['<approval-id>', 'the question, as errand watch shows it'],
      ['[option]', 'one of its options, as errand watch shows them'],
      ['--approve', 'let the agent go on, this one time'],
      ['--deny', 'refuse it'],
      ['--text <text>', 'say this: for a question, which takes words; a permission takes none'],
    ],
    spells: { answer: '--text', decision: '--approve, --deny', option: 'one of its options' },
    work: async (cli, order) => (await import('./answer.ts')).answerApproval(cli, order),
  }),
  command<FollowUpOrder>({
    words: 'follow-up',
    does: ['follow_up'],
    help: 'Tell the agent of an attempt what to do next.',
    takes: [
      ATTEMPT,
      ['[text]', 'what to tell it'],
      ['--queue', 'have it follow the run that goes on, instead of being refused'],
      ['--cancel [queued-id]', 'take back what waits, or only this, by the id that --queue printed'],
      WAIT,
    ],
    spells: { prompt: 'TEXT', queued_id: '--cancel', 'action queue': '--queue', 'action cancel': '--cancel' },
    work: async (cli, order) => (await import('./follow-up.ts')).followUp(cli, order),
  }),
  command<OfAttempt>({
    words: 'stop',
    does: ['stop_attempt'],
    help: 'Stop the agent of an attempt, and take back what would follow. Its changes stay on the branch.',
    takes: [ATTEMPT],
    work: (cli, { attempt_id }) =>
      cli.call('stop_attempt', { attempt_id }, ({ stopping, cancelled }) => [
        `${stopping ? 'The agent is being stopped.' : 'No agent was at work.'}${cancelled === 0 ? '' : ` Follow-ups taken back: ${cancelled}.`}`,
      ]),
  }),
  command<DiffOrder>({
    words: 'diff',
    does: ['get_attempt'],
    help: 'Print what an attempt has changed, as a patch.',
    more_help: 'git apply takes it: nothing else is printed.',
    takes: [
      ATTEMPT,
      '[path]',
      ['--files', 'only the names of the files, with the lines added and removed'],
      ['--repo <repo>', 'only this repository, by name or id'],
    ],
    work: async (cli, order) => (await import('./diff.ts')).printDiff(cli, order),
  }),
  command<object>({
    words: 'executors',
    does: ['list_executors'],
    help: 'List the agents that attempts can be started with, and what keeps the others from running.',
    takes: [],
    work: async (cli) => cli.call('list_executors', {}, (await import('./executors.ts')).executorLines),
  }),
];
