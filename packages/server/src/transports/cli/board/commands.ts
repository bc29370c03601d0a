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
const WAIT: Take = ['--wait', 'watch until the run has ended; the exit code is 0 if it is completed'];
const BLOCKED_BY: Take = [
  '--blocked-by <ids>',
  'the tasks that must be completed first, by id, comma separated',
  several,
];
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
    takes: [PROJECT, '--status <status>', ['--ready', 'only tasks that can be started now']],
    spells: IN_PROJECT,
    work: async (cli, order) => (await import('./tasks.ts')).listTasks(cli, order),
  }),
  command<OfTask>({
    words: 'task show',
    does: ['get_task', 'list_task_attempts'],
    help: 'Show a task with its description and its attempts.',
    takes: [TASK],
    work: async (cli, { task_id }) => (await import('./tasks.ts')).showTask(cli, task_id),
  }),
  command<Pick<Listing, 'project'>>({
    words: 'task next',
    does: ['next_task'],
    help: 'Claim the first task that errand task list --ready shows, for 30 minutes.',
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
    help: 'Start an agent on a task, on a new git branch.',
    more_help:
      'The running server (errand serve) starts the agent. Without --wait the command ends at once and prints how to watch the agent.',
    takes: [
      ['[task-id]', 'the task, by id; or use --title to add a new task'],
      ['--title <text>', 'add a task with this title first'],
      ['--description <text>', 'with --title: what is to be done and why'],
      PROJECT,
      [
        '--executor <name>',
        'the agent to start, by its name in errand executors (default: the only one that is ready)',
      ],
      ['--variant <name>', 'another way to run the agent, as errand executors lists it'],
      [
        '--repo <repo>',
        'a repository, by name or id, and :BRANCH to start from another branch; may be repeated (default: all of the project)',
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
    help: 'Show what the agent of an attempt does, until its run has ended.',
    more_help:
      'The exit code is 0 if the run is completed. On a terminal you can answer questions of the agent. Ctrl-C stops watching; the agent goes on.',
    takes: [ATTEMPT],
    work: async (cli, { attempt_id }) => (await import('./watch.ts')).watch(cli, attempt_id),
  }),
  command<AnswerOrder>({
    words: 'answer',
    does: ['respond_approval'],
    help: 'Answer a question of an agent: give one of its options, --approve, --deny or --text.',
    takes: [
      ['<approval-id>', 'the question, as errand watch shows it'],
      ['[option]', 'one of its options, as errand watch shows them'],
      ['--approve', 'allow it this one time'],
      ['--deny', 'do not allow it'],
      ['--text <text>', 'the answer in words; not for a request for permission'],
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
      ['--queue', 'while a run goes on: wait until it has ended, instead of failing'],
      ['--cancel [queued-id]', 'cancel all follow-ups that wait, or only the one with the id that --queue printed'],
      WAIT,
    ],
    spells: { prompt: 'TEXT', queued_id: '--cancel', 'action queue': '--queue', 'action cancel': '--cancel' },
    work: async (cli, order) => (await import('./follow-up.ts')).followUp(cli, order),
  }),
  command<OfAttempt>({
    words: 'stop',
    does: ['stop_attempt'],
    help: 'Stop the agent of an attempt and cancel its follow-ups. Its changes stay on the branch.',
    takes: [ATTEMPT],
    work: (cli, { attempt_id }) =>
      cli.call('stop_attempt', { attempt_id }, ({ stopping, cancelled }) => [
        `${stopping ? 'The agent is being stopped.' : 'No agent was at work.'}${cancelled === 0 ? '' : ` Follow-ups taken back: ${cancelled}.`}`,
      ]),
  }),
  command<DiffOrder>({
    words: 'diff',
    does: ['get_attempt'],
    help: 'Print the changes of an attempt as a patch.',
    more_help: 'Nothing else is printed, so git apply can read it.',
    takes: [
      ATTEMPT,
      '[path]',
      ['--files', 'only the names of the files, with the number of added and removed lines'],
      ['--repo <repo>', 'only this repository, by name or id'],
    ],
    work: async (cli, order) => (await import('./diff.ts')).printDiff(cli, order),
  }),
  command<object>({
    words: 'executors',
    does: ['list_executors'],
    help: 'List the agents that Errand can start, and why the others are not ready.',
    takes: [],
    work: async (cli) => cli.call('list_executors', {}, (await import('./executors.ts')).executorLines),
  }),
];
