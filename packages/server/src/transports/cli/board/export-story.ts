import type { AnswerOf, BoardCli } from './board-cli.ts';
import { nameOf } from './names.ts';
import { everyRow } from './pages.ts';
import { plain, plainLine } from './plain.ts';
import { stateWord } from './states.ts';
import { wordsOf } from './task-people.ts';

type Entry = AnswerOf<'list_task_story'>['entries'][number];
type Question = NonNullable<Entry['question']>;

/** A text on one line. Signs of Markdown are escaped: a title could imitate another part of the story. */
const inline = (text: string): string => plainLine(text).replaceAll(/[\\\x60*_[\]<>#|~]/g, String.raw`\$&`);

/** A text of several lines as a quotation, in which nothing can be taken for our own words. */
const quoted = (text: string): readonly string[] =>
  plain(text)
    .replaceAll('<', String.raw`\<`)
    .split('\n')
    .map((line) => `  > ${line}`.trimEnd());

const whoOf = (by: Entry['by'], other = 'someone'): string => `**${inline(by?.name ?? other)}**`;

const timeOf = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;

function answerLines({ status, answer, answered_by }: Question): readonly string[] {
  if (status === 'pending') return ['', '  Not answered yet.'];
  if (status === 'expired') return ['', '  Nobody answered in time.'];
  const said = `  ${whoOf(answered_by)} ${status === 'approved' ? 'answered' : 'denied'}`;
  return ['', ...(answer === null ? [`${said}.`] : [`${said}:`, '', ...quoted(answer)])];
}

function entryLines({ at, by, comment_html, attempt, question, action = '' }: Entry): readonly string[] {
  const begin = `- ${timeOf(at)}:`;
  if (comment_html !== undefined) return [`${begin} ${whoOf(by)} wrote`, '', ...quoted(wordsOf(comment_html))];
  if (question !== undefined) {
    const { executor, text, details } = question;
    const about = details === null ? [] : ['  >', ...quoted(details)];
    return [
      `${begin} ${whoOf(by, executor ?? undefined)} asked`,
      '',
      ...quoted(text),
      ...about,
      ...answerLines(question),
    ];
  }
  if (attempt !== undefined) {
    const { key, attempt_id, state, verdict, latest_session_executor: executor, reason } = attempt;
    const facts = [executor, stateWord(state), verdict === null ? null : `checks ${verdict}`, reason];
    const known = facts.flatMap((fact) => (fact === null ? [] : inline(fact)));
    return [`${begin} ${whoOf(by)} started the attempt ${nameOf(key, attempt_id)} (${known.join(', ')})`];
  }
  return [`${begin} ${whoOf(by)} called ${inline(action)}`];
}

/** A task and what happened to it, the oldest first, as Markdown. */
export async function storyLines(cli: BoardCli, task_id: string): Promise<readonly string[]> {
  const task = await cli.ask('get_task', { task_id, include: ['description', 'blocked_by'] });
  const story = await everyRow(
    (page) => cli.ask('list_task_story', { task_id: task.task_id, ...page }),
    ({ entries }) => entries,
  );
  const waits = task.blocked_by.map(({ key, task_id: id, title }) => `${nameOf(key, id)} ${inline(title)}`);
  return [
    `# ${nameOf(task.key, task.task_id)} ${inline(task.title)}`,
    '',
    `${task.status}, priority ${task.priority}${waits.length === 0 ? '' : `, waits for ${waits.join(', ')}`}`,
    ...(task.description === null ? [] : ['', plain(task.description)]),
    '',
    '## What happened',
    ...story.toReversed().flatMap((entry) => ['', ...entryLines(entry)]),
  ];
}
