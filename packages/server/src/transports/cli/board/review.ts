import { ErrandError } from '#errors';
import { EXIT } from '#transports/cli/exit-code';
import type { AnswerOf, BoardCli, InputOf } from './board-cli.ts';
import { nameOf } from './names.ts';
import { plain, plainLine } from './plain.ts';
import { watch } from './watch.ts';

export interface ReviewOrder extends Pick<InputOf<'add_review_comment'>, 'attempt_id' | 'side'> {
  /** `PATH:LINE`, as git and compilers write places. */
  readonly place?: string;
  readonly text?: string;
  readonly repo?: string;
  readonly send?: boolean;
  readonly wait?: boolean;
  /** The number of a comment to resolve. */
  readonly resolve?: string;
  readonly reopen?: string;
}

type Comment = NonNullable<AnswerOf<'get_attempt'>['comments']>[number];

const refuse = (message: string): ErrandError => new ErrandError('validation_error', message);

/** Reads `src/a.ts:14`. A path may contain colons, the line number is last. */
function placeIn(typed: string): { readonly path: string; readonly line: number } {
  const [, path, line] = /^(.+):(\d{1,8})$/s.exec(typed) ?? [];
  if (path === undefined)
    throw refuse(`${JSON.stringify(typed)} is no place: write the file and the line, as src/a.ts:14.`);
  return { path, line: Number(line) };
}

function commentLines(cli: BoardCli, comment: Comment): readonly string[] {
  const { number, path, line, side, status, is_outdated, text, note } = comment;
  const place = `${plainLine(path)}${line === null ? '' : `:${line}`}${side === 'old' ? ' (old side)' : ''}`;
  const marks = [status, ...(is_outdated ? ['outdated'] : [])].join(', ');
  return [
    `${cli.paint(`#${number}`, 'bold')}  ${place}  ${marks}`,
    ...plain(text)
      .trimEnd()
      .split('\n')
      .map((each) => `    ${each}`),
    ...(note === null ? [] : [`    answer: ${plainLine(note)}`]),
  ];
}

async function listComments(cli: BoardCli, attempt_id: string): Promise<number> {
  const {
    key,
    comments = [],
    ...attempt
  } = await cli.ask('get_attempt', { attempt_id, include: ['comments', 'whole'] });
  const name = nameOf(key, attempt.attempt_id);
  const none = `No comments on ${name} yet. Add one: errand review ${name} FILE:LINE "what to change"`;
  const drafts = comments.filter(({ status }) => status === 'draft').length;
  cli.tell(
    { comments },
    ...(comments.length === 0 ? [none] : comments.flatMap((comment) => commentLines(cli, comment))),
    ...(drafts === 0 ? [] : ['', `Send ${drafts === 1 ? 'it' : `the ${drafts} drafts`}: errand review ${name} --send`]),
  );
  return EXIT.ok;
}

async function addComment(
  cli: BoardCli,
  { attempt_id, place = '', text = '', side, repo }: ReviewOrder,
): Promise<object> {
  return cli.ask('add_review_comment', {
    attempt_id,
    ...placeIn(place),
    text,
    ...(side !== undefined && { side }),
    ...(repo !== undefined && { repo_id: repo }),
  });
}

function sentLine({ comments, left, execution_id, note }: AnswerOf<'send_review'>, attempt: string): string {
  const sent = `Sent ${comments === 1 ? '1 comment' : `${comments} comments`}.`;
  const more = left === undefined ? '' : ` ${left} had no room: send again.`;
  if (execution_id !== undefined) return `${sent}${more} The agent goes on. Watch it: errand watch ${attempt}`;
  return `${sent}${more} ${note ?? 'The agent gets them when its run has ended.'}`;
}

async function sendComments(cli: BoardCli, { attempt_id, wait = false }: ReviewOrder): Promise<number> {
  // Entries from before the review are skipped: the person has seen them.
  const before = wait ? await cli.ask('tail_attempt', { attempt_id, limit: 1 }) : null;
  const answer = await cli.ask('send_review', { attempt_id });
  cli.tell(answer, sentLine(answer, attempt_id));
  return before === null ? EXIT.ok : watch(cli, attempt_id, before.after);
}

interface TypedComment {
  readonly typed: string;
  readonly resolved: boolean;
}

/** Marks a comment as dealt with, or opens it again. It is named by its number in the attempt. */
async function settle(cli: BoardCli, attempt_id: string, { typed, resolved }: TypedComment): Promise<number> {
  const number = Number(typed.replace(/^#/, ''));
  const { comments = [] } = await cli.ask('get_attempt', { attempt_id, include: ['comments', 'whole'] });
  const comment = comments.find((each) => each.number === number);
  if (comment === undefined) {
    throw new ErrandError('not_found', `There is no comment #${typed.replace(/^#/, '')} here.`);
  }
  return cli.call('resolve_review_comment', { comment_id: comment.comment_id, resolved }, ({ status }) => [
    `#${number} is ${status === 'sent' ? 'open again' : status}.`,
  ]);
}

/** Lists the comments on the lines of an attempt, adds one, sends them to the agent, or resolves one. */
export async function review(cli: BoardCli, order: ReviewOrder): Promise<number> {
  const { attempt_id, place, text, send = false, resolve, reopen } = order;
  if ((place === undefined) !== (text === undefined)) throw refuse('Give the place and the comment: FILE:LINE "text".');
  const settled = resolve ?? reopen;
  if (settled !== undefined) {
    if (place !== undefined || send || (resolve !== undefined && reopen !== undefined)) {
      throw refuse('--resolve and --reopen each go alone.');
    }
    return settle(cli, attempt_id, { typed: settled, resolved: resolve !== undefined });
  }
  if (place === undefined && !send) return listComments(cli, attempt_id);
  const added = place === undefined ? null : await addComment(cli, order);
  if (!send) {
    cli.tell(added ?? {}, `Noted. Send it to the agent: errand review ${attempt_id} --send`);
    return EXIT.ok;
  }
  return sendComments(cli, order);
}
