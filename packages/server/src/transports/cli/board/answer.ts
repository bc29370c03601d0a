import { ErrandError } from '#errors';
import { EXIT } from '#transports/cli/exit-code';
import type { AnswerOf, BoardCli } from './board-cli.ts';

interface AnswerOrder {
  readonly approval_id: string;
  readonly option: string | undefined;
  readonly approve?: boolean | undefined;
  readonly deny?: boolean | undefined;
  readonly text?: string | undefined;
}

export type Approval = AnswerOf<'get_attempt'>['approvals'][number];

/** What was typed on a terminal under a question: the number of an option or, where words are asked for, words. Null for neither. */
export function responseTo({ kind, options }: Approval, typed: string) {
  const option = /^\d+$/.test(typed) ? options[Number(typed) - 1] : undefined;
  if (option !== undefined) return { option: option.option };
  return kind === 'question' && typed !== '' ? { answer: typed } : null;
}

/** Answers a question of an agent. */
export async function answerApproval(cli: BoardCli, order: AnswerOrder): Promise<number> {
  const { approval_id, option, approve = false, deny = false, text } = order;
  const given = [option !== undefined, approve, deny, text !== undefined].filter(Boolean).length;
  if (given !== 1) {
    throw new ErrandError('validation_error', 'Give one answer: an option, --approve, --deny, or --text.');
  }
  const answer = await cli.ask('respond_approval', {
    approval_id,
    ...(option !== undefined && { option: option }),
    ...(approve && { decision: 'approve' as const }),
    ...(deny && { decision: 'deny' as const }),
    ...(text !== undefined && { answer: text }),
  });
  if (cli.json) cli.print(JSON.stringify(answer));
  else cli.print(`The agent is told: ${answer.status}.`);
  return EXIT.ok;
}
