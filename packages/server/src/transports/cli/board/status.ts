import { Refused } from '#transports/cli/calls';
import { EXIT } from '#transports/cli/exit-code';
import type { AnswerOf, BoardCli } from './board-cli.ts';
import { shortId } from './names.ts';
import { plainLine } from './plain.ts';
import type { InProject } from './project.ts';
import { styleOfWord } from './states.ts';
import { cutTo } from './table.ts';

type Inbox = AnswerOf<'list_inbox'>;
type Waiting = Inbox['rows'][number];

/** A line of the status: the attempt or task, a few words about it, and the command to type. */
interface Line {
  readonly name: string;
  readonly kind: string;
  readonly text: string;
  readonly command: string;
}

const MAX_ROWS = 20;
const MIN_TEXT = 12;
const LABEL = 13;
const GAP = '  ';
const FORBIDDEN = 403;

/** A question is named by its attempt or task when that has no other, else by the start of its id. */
function questionName(row: Waiting, rows: readonly Waiting[]): string {
  const ids = rows.flatMap(({ approval_id }) => approval_id ?? []);
  const own = row.attempt_key ?? row.task_key;
  const asked = rows.filter((each) => each.approval_id !== null && (each.attempt_key ?? each.task_key) === own);
  return own !== null && asked.length === 1 ? own : shortId(row.approval_id ?? '', ids);
}

function commandOf(row: Waiting, rows: readonly Waiting[]): string {
  const attempt = row.attempt_key ?? row.attempt_id ?? '';
  if (row.approval_id !== null) return `errand answer ${questionName(row, rows)}`;
  if (row.kind === 'review') return `errand diff ${attempt}`;
  if (row.kind === 'failed') return `errand task show ${row.task_key ?? ''}`;
  return row.kind === 'stalled' ? `errand watch ${attempt}` : `errand merge ${attempt}`;
}

const waitingLine = (row: Waiting, rows: readonly Waiting[]): Line => ({
  name: row.attempt_key ?? row.task_key ?? '-',
  kind: row.kind,
  text: plainLine(row.text ?? row.title ?? ''),
  command: commandOf(row, rows),
});

type Run = { readonly attempt_key: string | null; readonly task_key: string | null; readonly name: string | null };

const runningLine = ({ attempt_key, task_key, name }: Run): Line => ({
  name: attempt_key ?? task_key ?? '-',
  kind: 'running',
  text: plainLine(name ?? ''),
  command: attempt_key === null ? '' : `errand watch ${attempt_key}`,
});

/** The lines of one group, the first of which says how many there are. */
function groupLines(cli: BoardCli, label: string, lines: readonly Line[]): readonly string[] {
  const widest = (field: keyof Line): number => Math.max(0, ...lines.map((line) => [...line[field]].length));
  const [name, kind, command] = [widest('name'), widest('kind'), widest('command')];
  const room = Math.max(MIN_TEXT, cli.width - LABEL - name - kind - command - 3 * GAP.length);
  const text = Math.min(room, widest('text'));
  return lines.map((line, i) => {
    const style = styleOfWord(line.kind);
    const word = style === null ? line.kind : cli.paint(line.kind, style);
    const cells = [
      line.name.padEnd(name),
      word + ' '.repeat(kind - line.kind.length),
      cutTo(line.text, room).padEnd(text),
      line.command,
    ];
    return `${(i === 0 ? label : '').padEnd(LABEL)}${cells.join(GAP)}`.trimEnd();
  });
}

/** The runs that go on; null for a caller who may not see them. */
async function runningOf(cli: BoardCli, project: string | undefined): Promise<readonly Run[] | null> {
  try {
    const { executions } = await cli.askOther('executions', 'list_executions', {
      status: 'running',
      limit: MAX_ROWS,
      ...(project !== undefined && { project_id: project }),
    });
    return executions;
  } catch (error) {
    if (error instanceof Refused && error.status === FORBIDDEN) return null;
    throw error;
  }
}

async function placeLine(cli: BoardCli): Promise<string> {
  const { executors } = await cli.ask('list_executors', {});
  const ready = executors.filter(({ is_ready }) => is_ready).length;
  const place = cli.address === null ? 'Data of this machine' : `Server ${cli.address}`;
  return `${place}, ${ready === 1 ? '1 executor' : `${ready} executors`} ready`;
}

const sum = (counts: Inbox['counts']): number => Object.values(counts).reduce((all, count) => all + count, 0);

/** Shows what waits for a person, what runs, and where. */
export async function showStatus(cli: BoardCli, { project }: InProject): Promise<number> {
  const inbox = await cli.ask('list_inbox', {
    limit: MAX_ROWS,
    ...(project !== undefined && { project_id: project }),
  });
  const running = await runningOf(cli, project);
  if (cli.json) {
    cli.print(JSON.stringify({ ...inbox, running, server: cli.address }));
    return EXIT.ok;
  }
  const { rows, counts } = inbox;
  const waiting = sum(counts);
  const left = waiting - rows.length;
  const need = `${waiting} ${waiting === 1 ? 'needs' : 'need'} you`;
  cli.print(
    ...(rows.length === 0
      ? ['Nothing needs you.']
      : groupLines(
          cli,
          need,
          rows.map((row) => waitingLine(row, rows)),
        )),
    ...(left > 0 ? [`${' '.repeat(LABEL)}and ${left} more`] : []),
    ...(running === null ? [] : groupLines(cli, `${running.length} running`, running.map(runningLine))),
    await placeLine(cli),
  );
  return EXIT.ok;
}
