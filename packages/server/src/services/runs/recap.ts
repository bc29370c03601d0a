import type { Attempt } from '#domain/attempt';
import type { QueuedRun } from '#domain/queued-run';
import type { Transaction } from '#store/store';

const MAX_RUNS = 5;
/** The beginning of a prompt has the task, its end has the words that the person added. */
const MAX_PROMPT = { beginning: 1_000, end: 500 };
const MAX_SUMMARY = 2_000;

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

function cutMiddle(text: string): string {
  const { beginning, end } = MAX_PROMPT;
  if (text.length <= beginning + end) return text;
  return `${text.slice(0, beginning).replace(/[\uD800-\uDBFF]$/, '')} … ${text.slice(-end).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

/** What was asked and answered in the session before this run, for an agent that cannot resume it; empty for nothing. */
export async function recapOf(
  tx: Transaction,
  attempt: Attempt,
  { session_id, execution_id }: QueuedRun,
): Promise<string> {
  const runs = await tx.attempts.runs(attempt, 2 * MAX_RUNS);
  const before = runs
    .filter((run) => run.session_id === session_id && run.id !== execution_id && run.kind !== 'script')
    .slice(0, MAX_RUNS)
    .reverse();
  const parts: string[] = [];
  for (const run of before) {
    const { status, summary } = run;
    const entry = await tx.queue.find(run);
    if (entry === null) continue;
    const outcome = summary === null ? `(${status})` : `(${status}) ${cut(summary, MAX_SUMMARY)}`;
    parts.push(`Asked: ${cutMiddle(entry.prompt)}\nOutcome: ${outcome}`);
  }
  return parts.join('\n\n');
}
