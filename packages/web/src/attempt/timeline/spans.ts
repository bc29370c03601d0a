/** How long nothing may come before a run counts as quiet. */
const QUIET_MS = 60_000;

export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Times {
  /** When a person was waited for. */
  readonly waits: readonly Span[];
  /** When nothing came. */
  readonly silences: readonly Span[];
  readonly working: number;
  readonly waiting: number;
  readonly quiet: number;
}

interface Sign {
  readonly at: number;
  readonly isQuestion: boolean;
}

const lengthOf = (spans: readonly Span[]): number => spans.reduce((all, { from, to }) => all + to - from, 0);

/**
 * Where the time of a run went. `signs` are the moments at which something came, in order; after a question the agent
 * waits until something else comes. What lies before `knownFrom` is not loaded yet: it counts as work.
 */
export function timesOf(run: Span, signs: readonly Sign[], knownFrom = run.from): Times {
  const waits: Span[] = [];
  const silences: Span[] = [];
  let before: Sign = { at: run.from, isQuestion: false };
  for (const sign of [...signs, { at: run.to, isQuestion: false }]) {
    const from = Math.max(before.at, knownFrom, run.from);
    const to = Math.min(sign.at, run.to);
    if (to > from && before.isQuestion) waits.push({ from, to });
    else if (to - from > QUIET_MS) silences.push({ from, to });
    before = sign;
  }
  const [waiting, quiet] = [lengthOf(waits), lengthOf(silences)];
  return { waits, silences, waiting, quiet, working: Math.max(0, run.to - run.from - waiting - quiet) };
}

/** The moments of steps and entries as signs, in order. A question comes after others of the same millisecond. */
export function signsOf(
  steps: readonly { readonly started_at: string; readonly updated_at: string; readonly ended_at: string | null }[],
  entries: readonly { readonly at: string; readonly kind: string }[],
): readonly Sign[] {
  return [
    ...steps.flatMap(({ started_at, ended_at }) =>
      [started_at, ...(ended_at === null ? [] : [ended_at])].map((each) => ({
        at: Date.parse(each),
        isQuestion: false,
      })),
    ),
    ...entries.map(({ at, kind }) => ({ at: Date.parse(at), isQuestion: kind === 'question' })),
  ].sort((one, other) => one.at - other.at || Number(one.isQuestion) - Number(other.isQuestion));
}

/** The part of a span within another; null where they do not meet. */
export function within(span: Span, other: Span): Span | null {
  const [from, to] = [Math.max(span.from, other.from), Math.min(span.to, other.to)];
  return to > from ? { from, to } : null;
}

/** How many of these moments fall into each of `bins` equal parts of a span. */
export function binned(moments: readonly number[], { from, to }: Span, bins: number): readonly number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const at of moments) {
    const bin = Math.floor(((at - from) / (to - from)) * bins);
    if (bin >= 0 && bin < bins) counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}
