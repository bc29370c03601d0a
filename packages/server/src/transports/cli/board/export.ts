import { ErrandError } from '#errors';
import { EXIT } from '#transports/cli/exit-code';
import type { BoardCli } from './board-cli.ts';
import { storyLines } from './export-story.ts';
import { nameOf } from './names.ts';
import { everyRow } from './pages.ts';
import { type InProject, projectOf } from './project.ts';

export interface ExportOrder extends InProject {
  readonly task_id?: string;
  readonly format?: string;
}

/** The tasks that are exported, one or all of a project, and their project as far as it was named. */
async function chosen(cli: BoardCli, { task_id, project: typed }: ExportOrder) {
  if (task_id !== undefined) return { rows: [await cli.ask('get_task', { task_id })] };
  const { project_id, key, name } = await projectOf(cli, typed);
  const rows = await everyRow(
    (page) => cli.ask('list_tasks', { project_id, ...page }),
    ({ tasks }) => tasks,
  );
  return { project: { key, name }, rows };
}

/** Prints tasks as JSON that `errand import` reads, or their stories as Markdown. */
export async function exportTasks(cli: BoardCli, order: ExportOrder): Promise<number> {
  const { format = 'json' } = order;
  if (format !== 'json' && format !== 'md') throw new ErrandError('validation_error', '--format is json or md.');
  const { project, rows } = await chosen(cli, order);
  if (format === 'md') {
    const stories: string[] = [];
    for (const { task_id } of rows) stories.push((await storyLines(cli, task_id)).join('\n'));
    const markdown = stories.join('\n\n');
    cli.print(cli.json ? JSON.stringify({ markdown }) : markdown);
    return EXIT.ok;
  }
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
  cli.print(JSON.stringify({ errand_export: 1, project, tasks }, null, cli.json ? 0 : 2));
  return EXIT.ok;
}
