import { setTimeout as sleep } from 'node:timers/promises';
import type { Approval } from '#domain/approval';
import type { ApprovalId, StepId } from '#domain/ids';
import type { Usage } from '#domain/run';
import { isDatabaseError } from '#errors';
import { type Hold, RunLost } from '#services/runs/held-run';
import type { Happening, RunLog } from '#services/runs/run-log';
import type { Answer, Question, ReportedStep, RunSink } from './executor.ts';
import { cleanText, cutText } from './executors/clean-text.ts';
import { hideToken } from './hide-token.ts';

const FLUSH_EVERY_MS = 100;
const MOST_AT_ONCE = 200;
const MOST_TEXT = 4_000;
const MOST_NAME = 200;
/** What is kept of one run: an agent that prints without end must not fill the disk. */
const MOST_ENTRIES = 20_000;
const MOST_CHARACTERS = 8_000_000;
const MOST_STEPS = 10_000;
const MOST_QUESTIONS = 1_000;
const SAYS_MORE = 'The run says more than is kept: the rest is left out.';
const RETRY_MS = 250;
const MOST_RETRY_MS = 5_000;

/** Reports that an agent makes through Errand's own tools are steps already. */
const OWN_TOOLS = /(?:^|[^a-z])(?:create_step|update_step|update_execution_session|get_context|health_check)\b/;

interface Told {
  happening: Happening;
  readonly key: string | null;
}

export interface OpenSink extends RunSink {
  /** Whether anything was told since this was asked last. */
  readonly isNews: () => boolean;
  /** Hands out answers that came meanwhile. */
  readonly lookForAnswers: () => Promise<void>;
  /** Writes what is left, and answers nobody any more. */
  readonly close: () => Promise<void>;
}

interface Needs {
  readonly hold: Hold;
  /** The token of the run, which nothing that is told may hold. */
  readonly secret: string;
  readonly log: RunLog;
  readonly ids: () => string;
  /** Told once when the run is someone else's by now. */
  readonly lost: () => void;
  readonly report: (error: unknown) => void;
}

/** Gathers what happens in a run and writes it in groups, in order. */
export function createRunSink({ hold, secret, log, ids, lost, report }: Needs): OpenSink {
  /** As it can be kept and shown. */
  const told = (text: string, most: number): string => cutText(hideToken(cleanText(text), secret), most);
  const steps = new Map<string, StepId>();
  const questions = new Map<ApprovalId, (answer: Answer) => void>();
  let pending: Told[] = [];
  /** What waits to be written and may still be replaced by what is newer: an agent may change a step faster than it can be kept. */
  const replaceable = new Map<string, Told>();
  let entries = 0;
  let asks = 0;
  let characters = 0;
  let isLost = false;
  let isClosed = false;
  let isNews = false;
  let writing: Promise<void> | null = null;

  async function write(batch: readonly Happening[]): Promise<void> {
    for (let pause = RETRY_MS; !isLost; pause = Math.min(2 * pause, MOST_RETRY_MS)) {
      try {
        return await log.write(hold, batch);
      } catch (error) {
        if (error instanceof RunLost) {
          isLost = true;
          return lost();
        }
        report(error);
        // What the database refuses is left out: asked again, it would keep the run for ever.
        if (!isDatabaseError(error)) return;
        await sleep(pause);
      }
    }
  }

  async function drain(): Promise<void> {
    while (pending.length > 0 && !isLost) {
      const batch = pending.slice(0, MOST_AT_ONCE);
      pending = pending.slice(MOST_AT_ONCE);
      for (const { key } of batch) if (key !== null) replaceable.delete(key);
      await write(batch.map(({ happening }) => happening));
      if (!isClosed) await sleep(FLUSH_EVERY_MS);
    }
  }

  /** `key` names what a later one of the same key stands for as well; null for what has to be kept for itself. */
  function add(happening: Happening, key: string | null): void {
    if (isLost) return;
    isNews = true;
    const waiting = key === null ? undefined : replaceable.get(key);
    if (waiting !== undefined) {
      waiting.happening = happening;
      return;
    }
    const next: Told = { happening, key };
    pending.push(next);
    if (key !== null) replaceable.set(key, next);
    writing ??= sleep(isClosed ? 0 : FLUSH_EVERY_MS)
      .then(drain)
      .catch(report)
      .finally(() => {
        writing = null;
      });
  }

  function addText(kind: Extract<Happening, { type: 'feed' }>['kind'], text: string): void {
    if (entries > MOST_ENTRIES || characters > MOST_CHARACTERS) return;
    entries += 1;
    characters += text.length;
    const isLast = entries > MOST_ENTRIES || characters > MOST_CHARACTERS;
    const entry = isLast ? ({ kind: 'status', text: SAYS_MORE } as const) : { kind, text: told(text, MOST_TEXT) };
    add({ type: 'feed', ...entry }, null);
  }

  function addStep(key: string, { name, message, ...step }: ReportedStep): void {
    if (step.source === 'tool' && OWN_TOOLS.test(name)) return;
    if (!steps.has(key) && steps.size >= MOST_STEPS) return;
    const step_id = steps.get(key) ?? (ids() as StepId);
    steps.set(key, step_id);
    const words = message === null ? null : told(message, 2_000);
    add({ type: 'step', step_id, name: told(name, MOST_NAME) || 'Step', message: words, ...step }, step_id);
  }

  async function ask({ options, ...question }: Question): Promise<Answer> {
    if (isClosed || isLost || asks >= MOST_QUESTIONS) return null;
    asks += 1;
    const asked = {
      kind: question.kind,
      question: told(question.question, 1_000),
      details: question.details === null ? null : told(question.details, MOST_TEXT),
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
    session: (id) => add({ type: 'session', agent_session_id: told(id, 200) }, 'session'),
    step: addStep,
    usage: (usage) => add({ type: 'usage', usage: rounded(usage) }, 'usage'),
    client: (client) => add({ type: 'client', client: told(client, 200) }, 'client'),
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

const MILLIONTHS = 1_000_000;

/** Costs to a millionth of a dollar: sums and differences of fractions have digits that nobody paid. */
const rounded = ({ cost_usd, ...usage }: Usage): Usage =>
  cost_usd === undefined ? usage : { ...usage, cost_usd: Math.round(cost_usd * MILLIONTHS) / MILLIONTHS };

const answerOf = ({ status, option, answer }: Approval): Answer => (status === 'expired' ? null : { option, answer });
