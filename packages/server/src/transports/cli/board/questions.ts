import { Refused } from '#transports/cli/calls';
import { responseTo } from './answer.ts';
import type { BoardCli, TypedLines } from './board-cli.ts';
import { labelled } from './feed-lines.ts';
import { type Approval, nameOfQuestion, questionLines } from './question-lines.ts';

/** Shows each question of an attempt's agents once, and sends the line that is typed under it. */
export function createQuestionPrompts(cli: BoardCli, attempt_id: string, typed: TypedLines | null) {
  const shown = new Set<string>();

  async function answer(approval: Approval, name: string, text: string): Promise<void> {
    const response = responseTo(approval, text.trim());
    if (response === null) return cli.print(...questionLines(approval, name, true));
    try {
      await cli.ask('respond_approval', { approval_id: approval.approval_id, ...response });
    } catch (error) {
      // The question was answered elsewhere, or the run has ended: go on watching.
      if (!(error instanceof Refused)) throw error;
      cli.print(...labelled('', error.message));
    }
  }

  return {
    /** Takes the number of open questions. Lines that were typed while none was open are dropped. */
    tend: async (pending: number): Promise<void> => {
      const text = typed?.take() ?? null;
      if (pending === 0) return;
      const { key, approvals } = await cli.ask('get_attempt', { attempt_id, include: ['whole'] });
      const nameIn = (approval: Approval): string => nameOfQuestion(approval, approvals, key);
      for (const approval of approvals) {
        if (!shown.has(approval.approval_id)) cli.print(...questionLines(approval, nameIn(approval), typed !== null));
        shown.add(approval.approval_id);
      }
      const [first] = approvals;
      if (text !== null && first !== undefined) await answer(first, nameIn(first), text);
    },
  };
}
