import { EXIT } from '#transports/cli/exit-code';
import type { AnswerOf, BoardCli } from './board-cli.ts';
import { plainLine } from './plain.ts';
import { styleOfWord } from './states.ts';
import { watch } from './watch.ts';

export interface VerifyOrder {
  readonly attempt_id: string;
  readonly wait?: boolean;
}

type Check = NonNullable<AnswerOf<'get_attempt'>['checks']>[number];

const checkLine = ({ name, status, exit_code }: Check): string =>
  `${plainLine(name)}: ${status}${exit_code === null || exit_code === 0 ? '' : `, exit ${exit_code}`}`;

/** Runs the checks of an attempt once more. With --wait the exit code is 0 when the verdict is green. */
export async function verifyAttempt(cli: BoardCli, { attempt_id, wait = false }: VerifyOrder): Promise<number> {
  const before = wait ? await cli.ask('tail_attempt', { attempt_id, limit: 1 }) : null;
  const answer = await cli.ask('verify_attempt', { attempt_id });
  if (before === null) {
    cli.tell(answer, `The checks run. Watch them: errand watch ${attempt_id}`);
    return EXIT.ok;
  }
  await watch(cli, attempt_id, before.after);
  const { verdict, checks = [] } = await cli.ask('get_attempt', { attempt_id, include: ['checks'] });
  const word = verdict ?? 'no verdict';
  const style = styleOfWord(word);
  if (!cli.json) cli.print('', ...checks.map(checkLine), style === null ? word : cli.paint(word, style));
  return verdict === 'green' ? EXIT.ok : EXIT.failed;
}
