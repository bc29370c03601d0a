import type { Walk } from '#tools/define';
import type { Answered } from './calls.ts';
import type { Screen } from './screen.ts';

type Input = Record<string, unknown>;

/** Prints all pages of a list as lines of JSON. Resolves with the failure that ended it; null when all was printed. */
export async function walkTool(
  call: (input: Input) => Promise<Answered>,
  input: Input,
  { walk, out }: { readonly walk: Walk; readonly out: Screen['out'] },
): Promise<Answered | null> {
  const print = (line: unknown): Promise<void> => out(`${JSON.stringify(line)}\n`);
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
