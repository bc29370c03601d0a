import { EXIT } from '#transports/cli/exit-code';
import type { AnswerOf, BoardCli, InputOf } from './board-cli.ts';
import { plainLine } from './plain.ts';
import type { InProject } from './project.ts';
import { tableOf } from './table.ts';

export type CostsOrder = Pick<InputOf<'report_costs'>, 'by' | 'from' | 'to'> & InProject;

type Report = AnswerOf<'report_costs'>;
type Spent = Report['total'];

const numbersOf = ({ cost_usd, tokens, minutes, runs }: Spent) => ({
  cost: `${cost_usd.toFixed(2)} USD`,
  tokens: String(tokens),
  minutes: minutes.toFixed(1),
  runs: String(runs),
});

/** Agents and executors are known by their names, tasks and projects by their keys, days by themselves. */
const nameOf = ({ key, name, subject }: Report['rows'][number]): string => plainLine(key ?? name ?? subject);

function costLines(cli: BoardCli, { from, to, rows, total }: Report, by: string): readonly string[] {
  const period = `From ${from} to ${to}`;
  if (rows.length === 0) return [`${period} nothing was spent.`];
  const titles = (row: Report['rows'][number]): string => (row.key === null ? '' : plainLine(row.name ?? ''));
  const cells = [
    ...rows.map((row) => ({ [by]: nameOf(row), ...numbersOf(row), title: titles(row) })),
    { [by]: 'total', ...numbersOf(total), title: '' },
  ];
  return [period, '', ...tableOf(cli, cells)];
}

/** Adds up what runs used, by task, agent, day or project. */
export async function reportCosts(cli: BoardCli, { project, by = 'task', ...period }: CostsOrder): Promise<number> {
  const answer = await cli.ask('report_costs', {
    by,
    ...period,
    ...(project !== undefined && { project_id: project }),
  });
  cli.tell(answer, ...costLines(cli, answer, by));
  return EXIT.ok;
}
