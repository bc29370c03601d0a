import type { Command } from 'commander';
import { addStoreOptions, type CommonFlags } from '#transports/cli/tool-command';
import type { BoardCli } from './board-cli.ts';

/** The work of one board command; resolves with the exit code. */
export type BoardWork = (cli: BoardCli) => Promise<number>;
/** `read`: the command only looks, so it must not make a database. */
export type RunBoard = (work: BoardWork, flags: CommonFlags, access?: 'read') => Promise<void>;

interface ProjectFlags extends CommonFlags {
  readonly project?: string;
}

interface AddFlags extends ProjectFlags {
  readonly description?: string;
  readonly blockedBy?: readonly string[];
}

interface ListFlags extends ProjectFlags {
  readonly status?: string;
  readonly ready?: boolean;
}

interface RunFlags extends ProjectFlags {
  readonly title?: string;
  readonly description?: string;
  readonly executor?: string;
  readonly variant?: string;
  readonly repo?: readonly string[];
  readonly prompt?: string;
  readonly wait?: boolean;
}

interface AnswerFlags extends CommonFlags {
  readonly approve?: boolean;
  readonly deny?: boolean;
  readonly text?: string;
}

interface FollowFlags extends CommonFlags {
  readonly queue?: boolean;
  readonly cancel?: boolean | string;
  readonly wait?: boolean;
}

interface DiffFlags extends CommonFlags {
  readonly files?: boolean;
  readonly repo?: string;
}

const PROJECT = ['--project <name>', 'the project, by name or id (default: the only one with a repository)'] as const;
const WAIT = ['--wait', 'watch until the agent has ended; exit code 0 when it has completed'] as const;

const common = (command: Command): Command => addStoreOptions(command).option('--json', 'answer in lines of JSON');

export const several = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...value.split(','),
];

/** Names of branches may have commas. */
const repeated = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** `errand task`: what there is to do. The commands themselves are read when one of them is typed. */
function addTask(program: Command, runBoard: RunBoard): void {
  const task = program.command('task').description('Tasks of the board: add, list, show, take and finish them');

  common(task.command('add'))
    .description('Add a task and print its id.')
    .argument('<title>', 'what is to be done, in one line')
    .option(...PROJECT)
    .option('--description <text>', 'what is to be done and why')
    .option('--blocked-by <ids>', 'tasks that must be completed before, by id', several)
    .action((title: string, flags: AddFlags) =>
      runBoard(async (cli) => (await import('./tasks.ts')).addTask(cli, { ...flags, title }), flags),
    );

  common(task.command('list'))
    .description('List the tasks of a project.')
    .option(...PROJECT)
    .option('--status <status>', 'only those in this column: todo, inprogress, inreview, done, cancelled')
    .option('--ready', 'only those that could be begun now')
    .action((flags: ListFlags) =>
      runBoard(async (cli) => (await import('./tasks.ts')).listTasks(cli, flags), flags, 'read'),
    );

  common(task.command('show'))
    .description('Show a task with its description, and the attempts at it.')
    .argument('<task-id>', 'the task, by id')
    .action((task_id: string, flags: CommonFlags) =>
      runBoard(async (cli) => (await import('./tasks.ts')).showTask(cli, task_id), flags, 'read'),
    );

  common(task.command('next'))
    .description('Take the first task that errand task list --ready shows, and have it for 30 minutes.')
    .option(...PROJECT)
    .action((flags: ProjectFlags) =>
      runBoard(async (cli) => (await import('./tasks.ts')).takeNext(cli, flags.project), flags),
    );

  common(task.command('done'))
    .description('Mark a task as done.')
    .argument('<task-id>', 'the task, by id')
    .action((task_id: string, flags: CommonFlags) =>
      runBoard(async (cli) => (await import('./tasks.ts')).finishTask(cli, task_id), flags),
    );
}

function addRun(program: Command, runBoard: RunBoard): void {
  common(program.command('run'))
    .summary('Have an agent work on a task, on a git branch of its own.')
    .description(
      'Have an agent work on a task, on a git branch of its own. The running server (errand serve) starts the agent; without --wait this only prints what to watch it with.',
    )
    .argument('[task-id]', 'the task, by id; or make one with --title')
    .option('--title <text>', 'make a task of this title first')
    .option('--description <text>', 'what is to be done and why, for a task that is made')
    .option(...PROJECT)
    .option('--executor <name>', 'the agent, as errand executors names it (default: the only one that is ready)')
    .option('--variant <name>', 'another way to run it, as errand executors names it')
    .option(
      '--repo <repo>',
      'a repository, by name or id, with :BRANCH to begin from; may be repeated (default: all of the project)',
      repeated,
    )
    .option('--prompt <text>', 'what to tell the agent besides the task')
    .option(...WAIT)
    .action((task_id: string | undefined, flags: RunFlags) =>
      runBoard(async (cli) => (await import('./run.ts')).runTask(cli, { ...flags, task_id }), flags),
    );
}

function addTalk(program: Command, runBoard: RunBoard): void {
  common(program.command('watch'))
    .summary('Show what the agent of an attempt does, until it has ended.')
    .description(
      'Show what the agent of an attempt does, until it has ended: exit code 0 when it has completed. On a terminal a question can be answered right there. Ctrl-C ends the watching, not the agent.',
    )
    .argument('<attempt-id>', 'the attempt, by id')
    .action((attempt_id: string, flags: CommonFlags) =>
      runBoard(async (cli) => (await import('./watch.ts')).watch(cli, attempt_id), flags, 'read'),
    );

  common(program.command('answer'))
    .description(
      'Answer a question of an agent, which waits for it: give one of its options, --approve, --deny or --text.',
    )
    .argument('<approval-id>', 'the question, as errand watch shows it')
    .argument('[option]', 'one of its options, as errand watch shows them')
    .option('--approve', 'let the agent go on, this one time')
    .option('--deny', 'refuse it')
    .option('--text <text>', 'say this: for a question, which takes words; a permission takes none')
    .action((approval_id: string, option: string | undefined, flags: AnswerFlags) =>
      runBoard(
        async (cli) => (await import('./answer.ts')).answerApproval(cli, { ...flags, approval_id, option }),
        flags,
      ),
    );

  common(program.command('follow-up'))
    .description('Tell the agent of an attempt what to do next.')
    .argument('<attempt-id>', 'the attempt, by id')
    .argument('[text]', 'what to tell it')
    .option('--queue', 'have it follow the run that goes on, instead of being refused')
    .option('--cancel [queued-id]', 'take back what waits, or only this, by the id that --queue printed')
    .option(...WAIT)
    .action((attempt_id: string, text: string | undefined, flags: FollowFlags) =>
      runBoard(async (cli) => (await import('./follow-up.ts')).followUp(cli, { ...flags, attempt_id, text }), flags),
    );

  common(program.command('stop'))
    .description('Stop the agent of an attempt, and take back what would follow. Its changes stay on the branch.')
    .argument('<attempt-id>', 'the attempt, by id')
    .action((attempt_id: string, flags: CommonFlags) =>
      runBoard(async (cli) => (await import('./follow-up.ts')).stop(cli, attempt_id), flags),
    );
}

function addLooks(program: Command, runBoard: RunBoard): void {
  common(program.command('diff'))
    .summary('Print what an attempt has changed, as a patch.')
    .description('Print what an attempt has changed, as a patch that git apply takes, and nothing else.')
    .argument('<attempt-id>', 'the attempt, by id')
    .argument('[path]', 'only this file')
    .option('--files', 'only the names of the files, with the lines added and removed')
    .option('--repo <repo>', 'only this repository, by name or id')
    .action((attempt_id: string, path: string | undefined, flags: DiffFlags) =>
      runBoard(
        async (cli) => (await import('./diff.ts')).printDiff(cli, { ...flags, attempt_id, path }),
        flags,
        'read',
      ),
    );

  common(program.command('executors'))
    .description('List the agents that attempts can be started with, and what keeps the others from running.')
    .action((flags: CommonFlags) =>
      runBoard(async (cli) => (await import('./executors.ts')).listExecutors(cli), flags, 'read'),
    );
}

/** The everyday commands of the board, each a short walk over its tools. */
export function addBoard(program: Command, runBoard: RunBoard): void {
  addTask(program, runBoard);
  addRun(program, runBoard);
  addTalk(program, runBoard);
  addLooks(program, runBoard);
}
