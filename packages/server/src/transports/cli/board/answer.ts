import { ErrandError } from '#errors';
import type { AnswerOf, BoardCli, InputOf } from './board-cli.ts';

export interface AnswerOrder extends Pick<InputOf<'respond_approval'>, 'approval_id' | 'option'> {
  readonly approve?: boolean;
  readonly deny?: boolean;
  readonly text?: string;
}

export type Approval = AnswerOf<'get_attempt'>['approvals'][number];

/** Reads the line that a person typed under a question: the number of an option or, where allowed, free text. Null for neither. */
export function responseTo({ kind, options }: Approval, typed: string) {
  const option = /^\d+$/.test(typed) ? options[Number(typed) - 1] : undefined;
  if (option !== undefined) return { option: option.option };
  return kind === 'question' && typed !== '' ? { answer: typed } : null;
}

/** Answers the question of an agent. */
export function answerApproval(cli: BoardCli, order: AnswerOrder): Promise<number> {
  const { approval_id, option, approve = false, deny = false, text } = order;
  const given = [
    ...(option === undefined ? [] : [{ option }]),
    ...(approve ? [{ decision: 'approve' as const }] : []),
    ...(deny ? [{ decision: 'deny' as const }] : []),
    ...(text === undefined ? [] : [{ answer: text }]),
  ];
  if (given.length !== 1) {
    throw new ErrandError('validation_error', 'Give one answer: an option, --approve, --deny, or --text.');
  }
  return cli.call('respond_approval', { approval_id, ...given[0] }, ({ status }) => [`The agent is told: ${status}.`]);
}
