import { randomUUID } from 'node:crypto';
import { ErrandError } from '#errors';
import { EXIT } from '#transports/cli/exit-code';
import type { AnswerOf, BoardCli, InputOf } from './board-cli.ts';
import { nameOf } from './names.ts';
import { plainLine } from './plain.ts';
import { type InProject, projectOf } from './project.ts';
import { statusWords } from './states.ts';

type NewTask = Omit<InputOf<'create_task'>, 'project_id'> & InProject;
export type Edited = Pick<InputOf<'update_task'>, 'task_id' | 'title' | 'description' | 'priority' | 'blocked_by'>;

export interface Assigned {
  readonly task_id: string;
  readonly name?: readonly string[];
  readonly nobody?: boolean;
}

type Task = Pick<AnswerOf<'update_task'>, 'key' | 'task_id' | 'title'>;

const refuse = (message: string): ErrandError => new ErrandError('validation_error', message);
const lineOf = ({ key, task_id, title }: Task): string => `${nameOf(key, task_id)}  ${plainLine(title)}`;

export async function addTask(cli: BoardCli, { project, ...task }: NewTask): Promise<number> {
  const { project_id } = await projectOf(cli, project);
  const answer = await cli.ask('create_task', { project_id, ...task });
  cli.tell(answer, nameOf(answer.key, answer.task_id));
  // Beside the answer: a script reads the key alone.
  if (!cli.json) for (const other of answer.similar ?? []) cli.remark(`Like it: ${lineOf(other)}`);
  return EXIT.ok;
}

export async function editTask(cli: BoardCli, { task_id, ...changes }: Edited): Promise<number> {
  if (Object.keys(changes).length === 0) {
    throw refuse('Say what to change: --title, --description, --priority or --blocked-by.');
  }
  // `--blocked-by ""` takes all of them away.
  const blocked_by = changes.blocked_by?.filter((task) => task !== '');
  const input = { task_id, ...changes, ...(blocked_by !== undefined && { blocked_by }) };
  return cli.call('update_task', input, (task) => [lineOf(task)]);
}

export const moveTask = (cli: BoardCli, task_id: string, status: string): Promise<number> =>
  cli.call('update_task', { task_id, status }, ({ key, ...task }) => [
    `${nameOf(key, task.task_id)} ${statusWords(task.status)}.`,
  ]);

/** The name of a task as it was typed: a key in capitals, or the id. */
const typedName = (typed: string): string => (/^[a-z0-9]{2,10}-\d+$/i.test(typed) ? typed.toUpperCase() : typed);

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>');

export async function commentOn(cli: BoardCli, task_id: string, text: string): Promise<number> {
  const answer = await cli.askOther('tasker', 'tasker_append_comment', {
    issue_id: task_id,
    comment_html: escaped(text),
    idempotency_key: randomUUID(),
  });
  cli.tell(answer, `Commented on ${typedName(task_id)}.`);
  return EXIT.ok;
}

export async function assignTask(cli: BoardCli, { task_id, name = [], nobody = false }: Assigned): Promise<number> {
  if (nobody === name.length > 0) throw refuse('Name one member at least, or give --nobody.');
  const answer = await cli.askOther('tasker', 'tasker_assign_issue', {
    issue_id: task_id,
    assignee_ids: [...name],
    idempotency_key: randomUUID(),
  });
  const names = answer.assignees.map((assignee) => plainLine(assignee.name)).join(', ');
  cli.tell(answer, `${typedName(task_id)} is assigned to ${names || 'nobody'}.`);
  return EXIT.ok;
}
