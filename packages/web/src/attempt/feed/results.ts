import type { FeedEntry, Step } from 'errand/client';
import { entryKey } from '../../api/attempt-feed.ts';

/** What became of a call, a command or an edit. */
export interface Result {
  readonly status: 'running' | 'completed' | 'failed';
  /** How it went, in one line; null where nothing was said. */
  readonly text: string | null;
  /** How long it took; null while it runs, and where nobody has measured it. */
  readonly tookMs: number | null;
  /** What it printed: it has no row of its own. */
  readonly output: FeedEntry | null;
}

const isCall = ({ kind }: FeedEntry): boolean => kind === 'tool_call' || kind === 'command' || kind === 'edit';

/** How many steps before the last matched one are looked at: a step whose call is not in the feed must not end the search. */
const LOOK_BACK = 50;
const SAYS_FAILED = /\b(?:exit(?:ed with)?(?: code)? [1-9]\d*|[1-9]\d* failed|failed with)\b/i;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** The steps that stand for tool calls, by the call that each belongs to. Both are in the order in which they began. */
function stepsOfCalls(calls: readonly FeedEntry[], steps: readonly Step[]): ReadonlyMap<FeedEntry, Step> {
  const tools = steps.filter(({ source }) => source === 'tool');
  const found = new Map<FeedEntry, Step>();
  let end = tools.length;
  // From the end: older entries may not be loaded yet.
  for (const call of calls.toReversed()) {
    const words = oneLine(call.text);
    for (let at = end - 1; at >= Math.max(0, end - LOOK_BACK); at -= 1) {
      const step = tools[at];
      if (step === undefined || !words.startsWith(step.step_name.replace(/…$/, ''))) continue;
      found.set(call, step);
      end = at;
      break;
    }
  }
  return found;
}

const lastLine = (text: string): string | null => text.trim().split('\n').at(-1)?.trim() || null;

function resultOf(step: Step | undefined, call: FeedEntry, output: FeedEntry | null): Result | null {
  const said = output === null ? null : lastLine(output.text);
  if (step !== undefined) {
    const { status, message, started_at, ended_at } = step;
    const tookMs = ended_at === null ? null : Date.parse(ended_at) - Date.parse(started_at);
    const isFailed = status === 'failed';
    return {
      status: status === 'skipped' ? 'completed' : isFailed ? 'failed' : status,
      text: message ?? said,
      tookMs,
      output,
    };
  }
  if (output === null) return null;
  const tookMs = Date.parse(output.at) - Date.parse(call.at);
  return { status: said !== null && SAYS_FAILED.test(said) ? 'failed' : 'completed', text: said, tookMs, output };
}

interface Known {
  /** The steps of the runs, by run. */
  readonly steps: ReadonlyMap<string, readonly Step[]>;
  /** The run that goes on; null for none. */
  readonly running: string | null;
}

/**
 * What became of each call, by entry: from the step that stands for it, and from the output that follows it. Output that
 * belongs to no call keeps its own row.
 */
export function resultsOf(entries: readonly FeedEntry[], { steps, running }: Known): ReadonlyMap<string, Result> {
  const results = new Map<string, Result>();
  for (const [run, ofRun] of Map.groupBy(entries, ({ execution_id }) => execution_id)) {
    const matched = stepsOfCalls(ofRun.filter(isCall), steps.get(run) ?? []);
    ofRun.forEach((entry, at) => {
      if (!isCall(entry)) return;
      const next = ofRun[at + 1];
      const output = entry.kind === 'command' && next?.kind === 'output' ? next : null;
      const isLast = next === undefined && run === running;
      const result =
        resultOf(matched.get(entry), entry, output) ??
        (isLast ? { status: 'running' as const, text: null, tookMs: null, output: null } : null);
      if (result !== null) results.set(entryKey(entry), result);
    });
  }
  return results;
}

/** The outputs that are shown with their call. */
export const shownWithCall = (results: ReadonlyMap<string, Result>): ReadonlySet<string> =>
  new Set([...results.values()].flatMap(({ output }) => (output === null ? [] : [entryKey(output)])));
