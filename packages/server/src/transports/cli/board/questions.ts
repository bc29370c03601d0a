import { Refused } from '#transports/cli/calls';
import { type Approval, responseTo } from './answer.ts';
import type { BoardCli, TypedLines } from './board-cli.ts';
import { labelled } from './feed-lines.ts';
import { plainLine } from './plain.ts';

/** Quotes an agent's word as one shell argument that is no option of ours: people copy the line. */
function asArgument(word: string): string {
  const quoted = /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  return word.startsWith('-') ? `-- ${quoted}` : quoted;
}

function questionLines({ approval_id, question, details, options }: Approval, isTyping: boolean): readonly string[] {
  const answers = options.map(
    ({ option, name }, i) =>
      `${i + 1}  ${plainLine(name)}: errand answer ${approval_id} ${asArgument(plainLine(option))}`,
  );
  const inWords = options.length === 0 ? [`errand answer ${approval_id} --text "…"`] : [];
  const here = options.length === 0 ? 'Type the answer here:' : 'Type a number here:';
  return [
    ...labelled('asks', details === null || details === question ? question : `${question}\n${details}`),
    ...labelled('', [...answers, ...inWords, ...(isTyping ? [here] : [])].join('\n')),
  ];
}

/** Shows each question of an attempt's agents once, and sends the line that is typed under it. */
export function createQuestions(cli: BoardCli, attempt_id: string, typed: TypedLines | null) {
  const shown = new Set<string>();

  async function answer(approval: Approval, text: string): Promise<void> {
    const response = responseTo(approval, text.trim());
    if (response === null) return cli.print(...questionLines(approval, true));
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
      const { approvals } = await cli.ask('get_attempt', { attempt_id, include: ['whole'] });
      for (const approval of approvals) {
        if (!shown.has(approval.approval_id)) cli.print(...questionLines(approval, typed !== null));
        shown.add(approval.approval_id);
      }
      const [first] = approvals;
      if (text !== null && first !== undefined) await answer(first, text);
    },
  };
}
