import type { AnswerOf } from './board-cli.ts';
import { labelled } from './feed-lines.ts';
import { shortId } from './names.ts';
import { plainLine } from './plain.ts';

export type Approval = AnswerOf<'get_attempt'>['approvals'][number];

/** Quotes an agent's word as one shell argument that is no option of ours: people copy the line. */
function asArgument(word: string): string {
  const quoted = /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  return word.startsWith('-') ? `-- ${quoted}` : quoted;
}

/** How a question is named in a command: by its attempt when that has no other, else by the start of its id. */
export function nameOfQuestion({ approval_id }: Approval, open: readonly Approval[], attempt: string | null): string {
  if (open.length === 1 && attempt !== null) return attempt;
  return shortId(
    approval_id,
    open.map((other) => other.approval_id),
  );
}

/** A question with the commands that answer it. */
export function questionLines(
  { question, details, options }: Approval,
  own_name: string,
  isTyping: boolean,
): readonly string[] {
  const answers = options.map(
    ({ option, name }, i) => `${i + 1}  ${plainLine(name)}: errand answer ${own_name} ${asArgument(plainLine(option))}`,
  );
  const inWords = options.length === 0 ? [`errand answer ${own_name} --text "…"`] : [];
  const here = options.length === 0 ? 'Type the answer here:' : 'Type a number here:';
  return [
    ...labelled('asks', details === null || details === question ? question : `${question}\n${details}`),
    ...labelled('', [...answers, ...inWords, ...(isTyping ? [here] : [])].join('\n')),
  ];
}
