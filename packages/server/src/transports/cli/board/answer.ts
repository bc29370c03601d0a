import { ErrandError } from '#errors';
import { Refused } from '#transports/cli/calls';
import type { BoardCli, InputOf } from './board-cli.ts';
import { plainLine } from './plain.ts';
import { type Approval, nameOfQuestion, questionLines } from './question-lines.ts';

export interface AnswerOrder extends Pick<InputOf<'respond_approval'>, 'approval_id' | 'option'> {
  readonly approve?: boolean;
  readonly deny?: boolean;
  readonly text?: string;
}

/** Reads the line that a person typed under a question: the number of an option or, where allowed, free text. Null for neither. */
export function responseTo({ kind, options }: Approval, typed: string) {
  const option = /^\d+$/.test(typed) ? options[Number(typed) - 1] : undefined;
  if (option !== undefined) return { option: option.option };
  return kind === 'question' && typed !== '' ? { answer: typed } : null;
}

/** The ways to answer the open questions of an attempt; undefined when the person has named none by its attempt or task. */
async function waysToAnswer(cli: BoardCli, typed: string): Promise<string | undefined> {
  try {
    const { key, approvals } = await cli.ask('get_attempt', { attempt_id: typed, include: ['whole'] });
    return (
      approvals
        .flatMap((approval) => questionLines(approval, nameOfQuestion(approval, approvals, key), false))
        .join('\n') || undefined
    );
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

/** Answers the question of an agent. */
export async function answerApproval(cli: BoardCli, order: AnswerOrder): Promise<number> {
  const { approval_id, option, approve = false, deny = false, text } = order;
  const given = [
    ...(option === undefined ? [] : [{ option }]),
    ...(approve ? [{ decision: 'approve' as const }] : []),
    ...(deny ? [{ decision: 'deny' as const }] : []),
    ...(text === undefined ? [] : [{ answer: text }]),
  ];
  if (given.length !== 1) {
    const hint = await waysToAnswer(cli, approval_id);
    throw new ErrandError('validation_error', 'Give one answer: an option, --approve, --deny, or --text.', {
      ...(hint !== undefined && { hint }),
    });
  }
  return cli.call('respond_approval', { approval_id, ...given[0] }, ({ status }) => [
    `Sent to the agent: ${plainLine(option ?? text ?? status)}.`,
  ]);
}
