import { setTimeout } from 'node:timers/promises';
import { EXIT } from '#transports/cli/exit-code';
import type { AnswerOf, BoardCli } from './board-cli.ts';
import { type ReadFile, readFiles } from './import-files.ts';
import { nameOf } from './names.ts';
import { plainLine } from './plain.ts';
import { type InProject, type Project, projectOf, projectWords } from './project.ts';
import { cutTo, tableOf } from './table.ts';

export interface ImportOrder extends InProject {
  readonly files: readonly string[];
  readonly dry_run?: boolean;
  readonly yes?: boolean;
}

type Plan = AnswerOf<'read_import'>;
type Note = Plan['faults'][number];

const MAX_NAME = 24;
const LOOK_MS = 50;

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Where a note is about, as compilers write it: tasks.csv:3. */
function noteLine({ file, line, text }: Note, files: readonly ReadFile[]): string {
  const shown = files.find(({ path }) => path === file)?.shown ?? file;
  const place = [plainLine(shown), line === null ? '' : String(line)].filter((part) => part !== '').join(':');
  return place === '' ? plainLine(text) : `${place}: ${plainLine(text)}`;
}

function planLines(cli: BoardCli, plan: Plan): readonly string[] {
  const rows = plan.tasks.map((task) => ({
    ref: cutTo(plainLine(task.ref), MAX_NAME),
    column: cutTo(plainLine(task.column), MAX_NAME),
    priority: task.priority === 'none' ? '' : task.priority,
    below: cutTo(plainLine(task.parent_ref ?? ''), MAX_NAME),
    title: plainLine(task.title),
  }));
  return rows.length === 0 ? [] : tableOf(cli, rows);
}

/** Asks a person at a terminal; scripts have nobody to ask. */
async function isWanted(cli: BoardCli, question: string): Promise<boolean> {
  const typed = cli.is_terminal ? cli.listen() : null;
  if (typed === null) return true;
  cli.write(`${question} [y/N] `);
  const interrupted = cli.interrupted().then(() => '');
  try {
    for (;;) {
      const line = typed.take() ?? (await Promise.race([interrupted, setTimeout(LOOK_MS, null)]));
      if (line !== null) return /^y(es)?$/i.test(line.trim());
    }
  } finally {
    typed.close();
  }
}

const sumLine = ({ tasks, formats }: Plan, project: Project): string =>
  `${plural(tasks.length, 'task')} of ${formats.join(', ')} for ${projectWords(project)}`;

/** Shows what an import would create, and creates it unless it is a dry run or something cannot be read. */
export async function importFiles(cli: BoardCli, order: ImportOrder): Promise<number> {
  const project = await projectOf(cli, order.project);
  const found = readFiles(order.files);
  const files = found.map(({ path, text }) => ({ path, text }));
  const { project_id } = project;
  const plan = await cli.ask('read_import', { project_id, files });
  const isReadable = plan.faults.length === 0;
  if (!cli.json && isReadable) {
    cli.print(sumLine(plan, project), '', ...planLines(cli, plan));
    if (plan.left_out.length > 0)
      cli.print('', 'Left out', ...plan.left_out.map((note) => `  ${noteLine(note, found)}`));
  }
  if (!isReadable) {
    if (cli.json) cli.print(JSON.stringify({ plan, tasks: [] }));
    else for (const fault of plan.faults) cli.remark(noteLine(fault, found));
    if (!cli.json) cli.remark('Nothing was imported.');
    return EXIT.usage;
  }
  if (order.dry_run === true) {
    if (cli.json) cli.print(JSON.stringify({ plan, tasks: [] }));
    else cli.print('', 'Nothing was created: this was a dry run.');
    return EXIT.ok;
  }
  if (!cli.json && plan.imported_at !== null) {
    cli.print('', `You imported these files at ${plan.imported_at}: within a day nothing is added again.`);
    return EXIT.ok;
  }
  const isAsked = !cli.json && order.yes !== true;
  if (isAsked && !(await isWanted(cli, `\nCreate ${plural(plan.tasks.length, 'task')}?`))) {
    cli.print('Nothing was created.');
    return EXIT.ok;
  }
  const { tasks } = await cli.ask('import_tasks', { project_id, files, idempotency_key: plan.key });
  if (cli.json) {
    cli.print(JSON.stringify({ plan, tasks }));
    return EXIT.ok;
  }
  const [first, last] = [tasks.at(0), tasks.at(-1)];
  const named = [first, last].map((task) => (task === undefined ? '' : nameOf(task.key, task.task_id)));
  cli.print('', `Imported ${plural(tasks.length, 'task')}: ${[...new Set(named)].join(' to ')}.`);
  return EXIT.ok;
}
