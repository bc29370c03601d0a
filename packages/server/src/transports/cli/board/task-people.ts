import { type AnswerOf, Refused } from '#transports/cli/calls';
import type { BoardCli } from './board-cli.ts';
import { plain, plainLine } from './plain.ts';

/** Who works on a task, and what people said about it. */
export type TaskPeople = Pick<AnswerOf<'tasker', 'tasker_get_issue'>['issue'], 'assignees' | 'comments'>;

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ', amp: '&' };

/** The words of a comment, which is simple HTML. */
export const wordsOf = (html: string): string =>
  html
    .replaceAll(/<br\s*\/?>|<\/(?:p|li|h\d|pre|blockquote)>/gi, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(lt|gt|quot|#39|nbsp|amp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .trim();

/** Asks for the people of a task; null for a caller who may not read issues. */
export async function peopleOf(cli: BoardCli, issue_id: string): Promise<TaskPeople | null> {
  try {
    const { issue } = await cli.askOther('tasker', 'tasker_get_issue', {
      issue_id,
      include: ['comments', 'assignees'],
    });
    return issue;
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

export function assigneeLines(people: TaskPeople | null): readonly string[] {
  const names = (people?.assignees ?? []).map(({ name }) => plainLine(name));
  return names.length === 0 ? [] : [`assigned to ${names.join(', ')}`];
}

/** The comments, oldest first, as one reads a conversation. */
export function commentLines(people: TaskPeople | null): readonly string[] {
  const { count = 0, latest = [] } = people?.comments ?? {};
  if (latest.length === 0) return [];
  const left = count - latest.length;
  return [
    '',
    ...(left > 0 ? [`${left} earlier comments`] : []),
    ...latest.toReversed().flatMap(({ author, created_at, comment_html }) => [
      `${plainLine(author?.name ?? 'someone')}, ${created_at.slice(0, 16).replace('T', ' ')} UTC`,
      ...plain(wordsOf(comment_html))
        .split('\n')
        .map((line) => `    ${line}`.trimEnd()),
    ]),
  ];
}
