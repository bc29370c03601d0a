import { EXIT } from '#transports/cli/exit-code';
import type { BoardCli } from './board-cli.ts';
import { nameOf } from './names.ts';
import { everyRow } from './pages.ts';
import { projectOf } from './project.ts';

/** Prints the tasks of a project as JSON that `errand import` reads: the order of the tasks is that of their columns. */
export async function exportTasks(cli: BoardCli, typed: string | undefined): Promise<number> {
  const { project_id, key, name } = await projectOf(cli, typed);
  const rows = await everyRow(
    (page) => cli.ask('list_tasks', { project_id, ...page }),
    ({ tasks }) => tasks,
  );
  const tasks: object[] = [];
  for (const { task_id } of rows) {
    const task = await cli.ask('get_task', { task_id, include: ['description', 'blocked_by'] });
    const { issue } = await cli.askOther('tasker', 'tasker_get_issue', {
      issue_id: task_id,
      include: ['blocks', 'labels'],
    });
    tasks.push({
      key: nameOf(task.key, task_id),
      title: task.title,
      description: task.description ?? '',
      status: task.status,
      priority: task.priority,
      labels: issue.labels.map((label) => label.name),
      parent: task.parent_id === null ? null : nameOf(task.parent_key, task.parent_id),
      blocked_by: task.blocked_by.map((blocker) => nameOf(blocker.key, blocker.task_id)),
      target_date: issue.target_date ?? null,
      detail_layout: issue.detail_layout,
    });
  }
  cli.print(JSON.stringify({ errand_export: 1, project: { key, name }, tasks }, null, cli.json ? 0 : 2));
  return EXIT.ok;
}
