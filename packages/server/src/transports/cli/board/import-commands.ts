import { type BoardCommand, command, IN_PROJECT, PROJECT } from './command-spec.ts';
import type { ExportOrder } from './export.ts';
import type { ImportOrder } from './import.ts';

/** The commands that bring tasks from other programs, and write them for others. */
export const IMPORT_COMMANDS: readonly BoardCommand[] = [
  command<ImportOrder>({
    words: 'import',
    adds: true,
    does: ['import_tasks', 'read_import'],
    help: 'Import tasks from files or folders: a table of what will happen, then the tasks, all or none.',
    more_help:
      'It reads Backlog.md folders, beads JSONL, tasks.json of task-master, GitHub issues as JSON, CSV and Markdown lists. The same files, imported again within a day, add nothing.',
    takes: [
      ['<files...>', 'files, or folders that hold them'],
      PROJECT,
      ['--dry-run', 'only show what would be created'],
      ['--yes', 'do not ask at a terminal'],
    ],
    spells: { ...IN_PROJECT, files: 'FILES' },
    work: async (cli, order) => (await import('./import.ts')).importFiles(cli, order),
  }),
  command<ExportOrder>({
    words: 'export',
    does: ['list_tasks', 'get_task', 'tasker_get_issue', 'list_task_story'],
    help: 'Print tasks as JSON, as errand import reads them, or what happened to them as Markdown.',
    more_help:
      'As JSON each task has its title, description, column, priority, labels, criteria, parent, blockers and due date; comments, people and attempts are in the Markdown.',
    takes: [
      ['[task-id]', 'only this task, by key such as WEB-12, or by id'],
      PROJECT,
      ['--format <format>', 'json or md (default: json)'],
    ],
    spells: { ...IN_PROJECT, task_id: 'TASK' },
    work: async (cli, order) => (await import('./export.ts')).exportTasks(cli, order),
  }),
];
