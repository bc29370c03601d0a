import type { Walk } from '#tools/define';
import type { Answered } from './calls.ts';

type Input = Record<string, unknown>;

/** Waits while the reader is slow: a long list would otherwise fill the memory. */
const print = (line: unknown): Promise<void> =>
  new Promise((resolve) => {
    if (process.stdout.write(`${JSON.stringify(line)}\n`)) resolve();
    else process.stdout.once('drain', resolve);
  });

/** Prints all pages of a list as lines of JSON. Resolves with the failure that ended it; null when all was printed. */
export async function walkTool(
  call: (input: Input) => Promise<Answered>,
  input: Input,
  walk: Walk,
): Promise<Answered | null> {
  let asked = input;
  for (;;) {
    const outcome = await call(asked);
    if (!outcome.ok) return outcome;
    const answer = JSON.parse(outcome.json);
    for (const row of answer[walk.rows]) await print(row);
    const next = answer[walk.next];
    if (next === undefined) {
      await print({ [walk.last]: answer[walk.last] });
      return null;
    }
    asked = { ...asked, [walk.from]: next };
  }
}
