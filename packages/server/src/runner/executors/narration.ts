import type { FeedKind, PlanItem, StepStatus } from '#domain/run';
import type { RunSink } from '#runner/executor';
import { cleanText, cutText } from './clean-text.ts';

const MAX_PIECE_CHARACTERS = 4_000;
const MAX_SUMMARY_CHARACTERS = 4_000;
const MAX_NAME_CHARACTERS = 200;
const MAX_MESSAGE_CHARACTERS = 500;
const MAX_TOOLS = 10_000;
const MAX_PLAN = 200;
const MAX_PLANNED = 2_000;

export type Activity = Extract<FeedKind, 'tool_call' | 'edit' | 'command'>;

export interface ToolReport {
  /** The agent's id of this tool call. */
  readonly id: string;
  readonly title: string;
  readonly activity: Activity;
  /** Pending: known, but not started. */
  readonly status: 'pending' | Exclude<StepStatus, 'skipped'>;
  /** The object of the call: a command, a path, a change. */
  readonly detail: string | null;
  /** The result of the tool call. */
  readonly outcome: string | null;
}

const oneLine = (text: string, most: number): string =>
  cutText(
    cleanText(text.slice(0, 2 * most))
      .replaceAll(/\s+/g, ' ')
      .trim(),
    most,
  );

/** A result in one line: of a command its last line, where programs say how it went; of another tool the only one it has. */
function shortOutcome({ activity, status, outcome }: ToolReport): string | null {
  if (outcome === null) return null;
  if (status === 'failed') return oneLine(outcome, MAX_MESSAGE_CHARACTERS) || null;
  const lines = cleanText(outcome).trim().split('\n');
  const line = activity === 'command' ? lines.at(-1) : lines.length === 1 ? lines[0] : undefined;
  return status !== 'completed' || line === undefined ? null : oneLine(line, MAX_NAME_CHARACTERS) || null;
}

/** Records what an agent says, does and plans, as entries of its feed and as steps. */
export function createNarration(sink: RunSink) {
  let speaking: { readonly kind: 'message' | 'thought'; readonly id: string | null; text: string } | null = null;
  let summary = '';
  const reported = new Map<string, { status: ToolReport['status']; step: string }>();
  const plan = new Map<string, PlanItem['status'] | 'skipped'>();

  const pause = (): void => {
    const text = cleanText(speaking?.text ?? '').trim();
    if (speaking !== null && text !== '') sink.feed(speaking.kind, text);
    speaking = null;
  };

  const speak = (kind: 'message' | 'thought', chunk: string, id: string | null): void => {
    const isNext = speaking === null || speaking.kind !== kind || (id !== null && speaking.id !== id);
    if (isNext) pause();
    if (isNext && kind === 'message') summary = '';
    const text = `${speaking?.text ?? ''}${chunk}`;
    speaking = { kind, id, text: text.slice(0, MAX_PIECE_CHARACTERS) };
    if (kind === 'message' && summary.length < MAX_SUMMARY_CHARACTERS) summary += chunk;
    // Report a long message in pieces, so that it is not held in memory.
    for (let rest = text.slice(MAX_PIECE_CHARACTERS); rest !== ''; rest = rest.slice(MAX_PIECE_CHARACTERS)) {
      sink.feed(kind, cleanText(speaking.text));
      speaking = { kind, id, text: rest.slice(0, MAX_PIECE_CHARACTERS) };
    }
  };

  /** Recorded when it begins: until then its title and input may be incomplete. */
  const tellBegin = ({ title, activity, detail }: ToolReport): void => {
    const words = detail === null || title.includes(detail) ? title : `${title}\n${cutText(detail, 2_000)}`;
    sink.feed(activity, cleanText(words));
  };

  const tellEnd = ({ activity, outcome, status }: ToolReport): void => {
    if (outcome !== null && (activity === 'command' || status === 'failed')) {
      sink.feed('output', cutText(cleanText(outcome).trim(), 2_000));
    }
  };

  const tool = (report: ToolReport): void => {
    const { id, status } = report;
    const before = reported.get(id);
    if (before === undefined && reported.size >= MAX_TOOLS) return;
    pause();
    const hasBegun = before !== undefined && before.status !== 'pending';
    const hasEnded = before?.status === 'completed' || before?.status === 'failed';
    if (!hasBegun && status !== 'pending') tellBegin(report);
    if (!hasEnded && (status === 'completed' || status === 'failed')) tellEnd(report);

    const step = {
      name: oneLine(report.title, MAX_NAME_CHARACTERS) || 'tool',
      status: status === 'pending' ? 'running' : status,
      message: shortOutcome(report),
      source: 'tool',
    } as const;
    const words = JSON.stringify(step);
    if (before?.step !== words) sink.step(`tool:${id.slice(0, MAX_NAME_CHARACTERS)}`, step);
    reported.set(id, { status, step: words });
  };

  const putPlan = (key: string, name: string, status: StepStatus): void => {
    if (!plan.has(key) && plan.size >= MAX_PLANNED) return;
    plan.set(key, status === 'failed' ? 'skipped' : status);
    sink.step(`plan:${key}`, { name, status, message: null, source: 'plan' });
  };

  return {
    say: (chunk: string, message_id: string | null): void => speak('message', chunk, message_id),
    think: (chunk: string, message_id: string | null): void => speak('thought', chunk, message_id),
    pause,
    tool,
    /** Takes the current plan. A pending item is not a step yet; a running one that is gone was abandoned. */
    plan: (items: readonly PlanItem[]): void => {
      pause();
      const times = new Map<string, number>();
      const present = new Set<string>();
      sink.plan(items);
      for (const { content, status } of items.slice(0, MAX_PLAN)) {
        const name = oneLine(content, MAX_NAME_CHARACTERS);
        const nth = (times.get(name) ?? 0) + 1;
        times.set(name, nth);
        // By its text, not its index: agents insert entries.
        const key = nth === 1 ? name : `${name}#${nth}`;
        present.add(key);
        if (name !== '' && status !== 'pending' && plan.get(key) !== status) putPlan(key, name, status);
      }
      for (const [key, status] of plan) {
        if (status === 'running' && !present.has(key)) putPlan(key, key, 'skipped');
      }
    },
    /** The last message. */
    summary: (): string | null => cutText(cleanText(summary).trim(), MAX_SUMMARY_CHARACTERS) || null,
  };
}

export type Narration = ReturnType<typeof createNarration>;
