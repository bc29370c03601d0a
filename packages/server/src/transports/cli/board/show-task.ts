import { EXIT } from '#transports/cli/exit-code';
import type { AnswerOf, BoardCli } from './board-cli.ts';
import { hasBranch } from './ending.ts';
import { nameOf } from './names.ts';
import { everyRow } from './pages.ts';
import { plain, plainLine } from './plain.ts';
import { stateWord, styleOfWord } from './states.ts';
import { tableOf } from './table.ts';
import { assigneeLines, commentLines, peopleOf, type TaskPeople } from './task-people.ts';

type Whole = AnswerOf<'get_task'>;
type Attempt = AnswerOf<'list_task_attempts'>['attempts'][number];

const neighbours = (label: string, tasks: Whole['blocks']): readonly string[] =>
  tasks.map(({ task_id, key, title, status }) => `${label}  ${nameOf(key, task_id)}  ${plainLine(title)} (${status})`);

/** A dash for a branch that was removed because nothing was changed on it. */
async function branchOf(cli: BoardCli, { attempt_id, status, workspace_branch }: Attempt): Promise<string> {
  const isOver = status !== null && status !== 'queued' && status !== 'running';
  const isGone = isOver && !hasBranch(await cli.ask('get_attempt', { attempt_id }));
  return isGone ? '-' : plainLine(workspace_branch);
}

async function attemptLines(cli: BoardCli, attempts: readonly Attempt[], task: Whole): Promise<readonly string[]> {
  if (attempts.length === 0) {
    return [`No attempts yet. Have an agent work on it: errand run ${nameOf(task.key, task.task_id)}`];
  }
  const rows: Record<string, string>[] = [];
  for (const attempt of attempts) {
    rows.push({
      attempt: nameOf(attempt.key, attempt.attempt_id),
      state: stateWord(attempt.state),
      checks: attempt.verdict ?? '-',
      executor: plainLine(attempt.latest_session_executor ?? '-'),
      branch: await branchOf(cli, attempt),
    });
  }
  return tableOf(cli, rows, {
    styleOf: (column, text) => (column === 'state' || column === 'checks' ? styleOfWord(text) : null),
    below: (row) => [attempts[row]?.reason ?? ''].map(plainLine).filter((reason) => reason !== ''),
  });
}

function taskLines(cli: BoardCli, task: Whole, people: TaskPeople | null): readonly string[] {
  const { claim, last_failure } = task;
  return [
    `${cli.paint(nameOf(task.key, task.task_id), 'bold')}  ${plainLine(task.title)}`,
    `${task.status}, priority ${task.priority}${task.is_ready ? ', ready' : ''}`,
    ...assigneeLines(people),
    ...(claim === null ? [] : [`claimed by ${plainLine(claim.claimed_by.name)} until ${claim.expires_at}`]),
    ...(last_failure === null ? [] : [`last attempt failed: ${plainLine(last_failure.reason ?? 'nobody knows why')}`]),
    ...neighbours('waits for', task.blocked_by),
    ...neighbours('blocks   ', task.blocks),
    ...(task.description === null ? [] : ['', plain(task.description)]),
  ];
}

export async function showTask(cli: BoardCli, task_id: string): Promise<number> {
  const task = await cli.ask('get_task', { task_id, include: ['description', 'blocked_by', 'blocks'] });
  const attempts = await everyRow(
    (page) => cli.ask('list_task_attempts', { task_id: task.task_id, ...page }),
    (answer) => answer.attempts,
  );
  if (cli.json) {
    cli.print(JSON.stringify({ ...task, attempts }));
    return EXIT.ok;
  }
  const people = await peopleOf(cli, task.task_id);
  const lines = await attemptLines(cli, attempts, task);
  cli.print(...taskLines(cli, task, people), ...commentLines(people), '', ...lines);
  return EXIT.ok;
}
