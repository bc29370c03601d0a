import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolName } from '#advice';
import type { Approval } from '#domain/approval';
import type { ApprovalId, NewId, StepId } from '#domain/ids';
import { MAX_STEPS, type PlanItem } from '#domain/run';
import { boundedUsage, laterUsage, type Usage } from '#domain/usage';
import { isDatabaseError } from '#errors';
import { type Hold, RunLost } from '#services/runs/held-run';
import type { RunLog, RunReport } from '#services/runs/run-log';
import type { Answer, Question, ReportedStep, RunSink } from './executor.ts';
import { cleanText, cutText } from './executors/clean-text.ts';
import { hideToken } from './hide-token.ts';

const FLUSH_EVERY_MS = 100;
const MAX_AT_ONCE = 200;
const MAX_TEXT = 4_000;
const MAX_NAME = 200;
const MAX_PLAN_ENTRIES = 50;
/** An agent that prints without end must not fill the disk. */
const MAX_ENTRIES = 20_000;
const MAX_CHARACTERS = 8_000_000;
const MAX_QUESTIONS = 1_000;
const SAYS_MORE = 'The run says more than is kept: the rest is left out.';
const RETRY_MS = 250;
const MAX_RETRY_MS = 5_000;

/** Calls of Errand's own tools: what an agent reports through them is written already. */
const REPORTING: readonly ToolName[] = [
  'create_step',
  'update_step',
  'update_execution_session',
  'get_context',
  'health_check',
];
const OWN_TOOLS = new RegExp(`(?:^|[^a-z])(?:${REPORTING.join('|')})\\b`);

interface PendingReport {
  content: RunReport;
  readonly key: string | null;
}

export interface OpenSink extends RunSink {
  /** Whether the agent has reported anything since the last call. */
  readonly isNews: () => boolean;
  /** The id of the step with this key. */
  readonly stepOf: (key: string) => StepId;
  /** Gives the agent the answers to its questions that have come. */
  readonly lookForAnswers: () => Promise<void>;
  /** Writes the reports that wait, and answers open questions with null. */
  readonly close: () => Promise<void>;
}

interface Needs {
  readonly hold: Hold;
  /** The token of the run: removed from every text. */
  readonly secret: string;
  readonly log: RunLog;
  readonly ids: NewId;
  /** Called once when another worker holds the run. */
  readonly lost: () => void;
  readonly report: (error: unknown) => void;
}

/** Gathers the reports of a run and writes them in groups, in order. */
export function createRunSink({ hold, secret, log, ids, lost, report }: Needs): OpenSink {
  /** A text as it may be stored and shown: without the token, and cut. */
  const shown = (text: string, most: number): string => cutText(hideToken(cleanText(text), secret), most);
  const steps = new Map<string, StepId>();
  const questions = new Map<ApprovalId, (answer: Answer) => void>();
  let pending: PendingReport[] = [];
  /** Reports that wait and that a newer one of the same key replaces: an agent may change a step faster than it can be written. */
  const replaceable = new Map<string, PendingReport>();
  /** One report may tell the tokens, the next one the cost: the later must not replace the earlier while that waits. */
  let used: Usage | null = null;
  let entries = 0;
  let asks = 0;
  let characters = 0;
  let isLost = false;
  let isClosed = false;
  let isNews = false;
  let writing: Promise<void> | null = null;

  async function write(batch: readonly RunReport[]): Promise<void> {
    for (let pause = RETRY_MS; !isLost; pause = Math.min(2 * pause, MAX_RETRY_MS)) {
      try {
        return await log.write(hold, batch);
      } catch (error) {
        if (error instanceof RunLost) {
          isLost = true;
          return lost();
        }
        report(error);
        // Leave out what the database refuses: written again, it would keep the run for ever.
        if (!isDatabaseError(error)) return;
        await sleep(pause);
      }
    }
  }

  async function drain(): Promise<void> {
    while (pending.length > 0 && !isLost) {
      const batch = pending.slice(0, MAX_AT_ONCE);
      pending = pending.slice(MAX_AT_ONCE);
      for (const { key } of batch) if (key !== null) replaceable.delete(key);
      await write(batch.map(({ content }) => content));
      if (!isClosed) await sleep(FLUSH_EVERY_MS);
    }
  }

  /** A report with a key replaces the one of the same key that still waits; null for a report that is never replaced. */
  function add(content: RunReport, key: string | null): void {
    if (isLost) return;
    isNews = true;
    const waiting = key === null ? undefined : replaceable.get(key);
    if (waiting !== undefined) {
      waiting.content = content;
      return;
    }
    const next: PendingReport = { content, key };
    pending.push(next);
    if (key !== null) replaceable.set(key, next);
    writeSoon();
  }

  function writeSoon(): void {
    writing ??= sleep(isClosed ? 0 : FLUSH_EVERY_MS)
      .then(drain)
      .catch(report)
      .finally(() => {
        writing = null;
        // Added after the last look of `drain`: it would wait for the next report.
        if (pending.length > 0 && !isLost) writeSoon();
      });
  }

  function addText(kind: Extract<RunReport, { type: 'feed' }>['kind'], text: string): void {
    if (entries > MAX_ENTRIES || characters > MAX_CHARACTERS) return;
    entries += 1;
    characters += text.length;
    const isLast = entries > MAX_ENTRIES || characters > MAX_CHARACTERS;
    const entry = isLast ? ({ kind: 'status', text: SAYS_MORE } as const) : { kind, text: shown(text, MAX_TEXT) };
    add({ type: 'feed', ...entry }, null);
  }

  function stepOf(key: string): StepId {
    const step_id = steps.get(key) ?? ids<StepId>();
    steps.set(key, step_id);
    return step_id;
  }

  function addStep(key: string, { name, message, ...step }: ReportedStep): void {
    if (step.source === 'tool' && OWN_TOOLS.test(name)) return;
    if (!steps.has(key) && steps.size >= MAX_STEPS) return;
    const step_id = stepOf(key);
    const words = message === null ? null : shown(message, 2_000);
    add({ type: 'step', step_id, name: shown(name, MAX_NAME) || 'Step', message: words, ...step }, step_id);
  }

  const plannedOf = (entries: readonly PlanItem[]): readonly PlanItem[] =>
    entries.slice(0, MAX_PLAN_ENTRIES).map(({ content, status }) => ({ content: shown(content, MAX_NAME), status }));

  async function ask({ options, ...question }: Question): Promise<Answer> {
    if (isClosed || isLost || asks >= MAX_QUESTIONS) return null;
    asks += 1;
    const asked = {
      kind: question.kind,
      question: shown(question.question, 1_000),
      details: question.details === null ? null : shown(question.details, MAX_TEXT),
      options: JSON.stringify(options),
    };
    const id = await log.ask(hold, asked);
    const answer = await new Promise<Answer>((resolve) => {
      questions.set(id, resolve);
      if (isClosed) resolve(null);
    });
    questions.delete(id);
    return answer;
  }

  return {
    feed: addText,
    session: (id) => add({ type: 'session', agent_session_id: shown(id, 200) }, 'session'),
    step: addStep,
    stepOf,
    plan: (entries) => add({ type: 'plan', entries: plannedOf(entries) }, 'plan'),
    usage: (report) => {
      used = laterUsage(used, boundedUsage(report));
      add({ type: 'usage', usage: used }, 'usage');
    },
    client: (client) => add({ type: 'client', client: shown(client, 200) }, 'client'),
    ask: (question) =>
      ask(question).catch((error: unknown) => {
        if (!(error instanceof RunLost)) report(error);
        return null;
      }),
    isNews: () => {
      const wasNews = isNews;
      isNews = false;
      return wasNews;
    },
    lookForAnswers: async () => {
      if (questions.size === 0) return;
      for (const approval of await log.answered(hold)) questions.get(approval.id)?.(answerOf(approval));
    },
    close: async () => {
      isClosed = true;
      for (const resolve of questions.values()) resolve(null);
      while (writing !== null || (pending.length > 0 && !isLost)) {
        if (writing === null) await drain();
        else await writing;
      }
    },
  };
}

const answerOf = ({ status, option, answer }: Approval): Answer => (status === 'expired' ? null : { option, answer });
