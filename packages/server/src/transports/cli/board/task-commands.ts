import type { BoardCli, InputOf } from './board-cli.ts';
import { type BoardCommand, command, IN_PROJECT, PROJECT, several, TASK, type Take } from './command-spec.ts';
import type { InProject } from './project.ts';
import type { Assigned, Edited } from './task-edits.ts';
import type { Listing } from './tasks.ts';

const BLOCKED_BY: Take = [
  '--blocked-by <tasks>',
  'the tasks that must be completed first, by key or id, comma separated',
  several,
];

type NewTask = Pick<InputOf<'create_task'>, 'title' | 'description' | 'priority' | 'blocked_by'> & InProject;
type OfTask = Pick<InputOf<'get_task'>, 'task_id'>;

const move = async (cli: BoardCli, task_id: string, status: string): Promise<number> =>
  (await import('./task-edits.ts')).moveTask(cli, task_id, status);

/** The everyday commands of tasks. */
export const TASK_COMMANDS: readonly BoardCommand[] = [
  command<NewTask>({
    words: 'task add',
    adds: true,
    does: ['create_task'],
    help: 'Add a task and print its key.',
    takes: ['<title>', PROJECT, '--description <text>', '--priority <urgency>', BLOCKED_BY],
    spells: IN_PROJECT,
    work: async (cli, order) => (await import('./task-edits.ts')).addTask(cli, order),
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
    work: async (cli, { task_id }) => (await import('./show-task.ts')).showTask(cli, task_id),
  }),
  command<Pick<Listing, 'project'>>({
    words: 'task next',
    does: ['next_task'],
    help: 'Claim the first task that errand task list --ready shows, for 30 minutes.',
    takes: [PROJECT],
    spells: IN_PROJECT,
    work: async (cli, { project }) => (await import('./tasks.ts')).takeNext(cli, project),
  }),
  command<Edited>({
    words: 'task edit',
    does: ['update_task'],
    help: 'Change a task; what is left out stays.',
    takes: [TASK, '--title <text>', '--description <text>', '--priority <urgency>', BLOCKED_BY],
    work: async (cli, order) => (await import('./task-edits.ts')).editTask(cli, order),
  }),
  command<OfTask & { readonly status: string }>({
    words: 'task move',
    does: ['update_task'],
    help: 'Move a task to another column.',
    takes: [TASK, '<status>'],
    work: (cli, { task_id, status }) => move(cli, task_id, status),
  }),
  command<OfTask>({
    words: 'task done',
    does: ['update_task'],
    help: 'Mark a task as done.',
    takes: [TASK],
    work: (cli, { task_id }) => move(cli, task_id, 'done'),
  }),
  command<OfTask>({
    words: 'task cancel',
    does: ['update_task'],
    help: 'Cancel a task. It stays on the board, in the column cancelled.',
    takes: [TASK],
    work: (cli, { task_id }) => move(cli, task_id, 'cancelled'),
  }),
  command<OfTask & { readonly text: string }>({
    words: 'task comment',
    does: ['tasker_append_comment'],
    help: 'Comment on a task.',
    takes: [TASK, ['<text>', 'the comment, as plain text']],
    spells: { issue_id: 'TASK-ID', comment_html: 'TEXT' },
    work: async (cli, { task_id, text }) => (await import('./task-edits.ts')).commentOn(cli, task_id, text),
  }),
  command<Assigned>({
    words: 'task assign',
    does: ['tasker_assign_issue'],
    help: 'Set who works on a task: exactly these members of its project.',
    takes: [TASK, ['[name...]', 'the members, by name or id'], ['--nobody', 'take the task from all of them']],
    spells: { assignee_ids: 'NAME' },
    work: async (cli, order) => (await import('./task-edits.ts')).assignTask(cli, order),
  }),
];
