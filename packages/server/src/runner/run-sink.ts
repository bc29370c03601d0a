import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Approval } from '#domain/approval';
import type { ApprovalId, StepId } from '#domain/ids';
import { type Hold, RunLost } from '#services/runs/held-run';
import type { Happening, RunLog } from '#services/runs/run-log';
import type { Answer, Question, ReportedStep, RunSink } from './executor.ts';

const FLUSH_EVERY_MS = 100;
const MOST_AT_ONCE = 200;
const MOST_TEXT = 4_000;
const MOST_NAME = 200;
/** What is kept of one run: an agent that prints without end must not fill the disk. */
const MOST_ENTRIES = 20_000;
const MOST_CHARACTERS = 8_000_000;
const RETRY_MS = 250;
const MOST_RETRY_MS = 5_000;

/** Reports that an agent makes through Errand's own tools are steps already. */
const OWN_TOOLS = /(?:^|[^a-z])(?:create_step|update_step|update_execution_session|get_context|health_check)\b/;

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

export interface OpenSink extends RunSink {
  /** Hands out answers that came meanwhile. */
  readonly lookForAnswers: () => Promise<void>;
  /** Writes what is left, and answers nobody any more. */
  readonly close: () => Promise<void>;
}

interface Needs {
  readonly hold: Hold;
  readonly log: RunLog;
  /** Told once when the run is someone else's by now. */
  readonly lost: () => void;
  readonly report: (error: unknown) => void;
}

/** Gathers what happens in a run and writes it in groups, in order. */
export function createRunSink({ hold, log, lost, report }: Needs): OpenSink {
  const steps = new Map<string, StepId>();
  const questions = new Map<ApprovalId, (answer: Answer) => void>();
  let pending: Happening[] = [];
  let entries = 0;
  let characters = 0;
  let isLost = false;
  let isClosed = false;
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
        await sleep(pause);
      }
    }
  }

  async function drain(): Promise<void> {
    while (pending.length > 0 && !isLost) {
      const batch = pending.slice(0, MOST_AT_ONCE);
      pending = pending.slice(MOST_AT_ONCE);
      await write(batch);
      if (!isClosed) await sleep(FLUSH_EVERY_MS);
    }
  }

  function add(happening: Happening): void {
    if (isLost) return;
    pending.push(happening);
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
    if (isLast) add({ type: 'feed', kind: 'status', text: 'The run says more than is kept: the rest is left out.' });
    else add({ type: 'feed', kind, text: cut(text, MOST_TEXT) });
  }

  function addStep(key: string, { name, message, ...step }: ReportedStep): void {
    if (step.source === 'tool' && OWN_TOOLS.test(name)) return;
    const step_id = steps.get(key) ?? (randomUUID() as StepId);
    steps.set(key, step_id);
    const words = message === null ? null : cut(message, 2_000);
    add({ type: 'step', step_id, name: cut(name, MOST_NAME) || 'Step', message: words, ...step });
  }

  async function ask({ options, ...question }: Question): Promise<Answer> {
    if (isClosed || isLost) return null;
    const asked = { ...question, question: cut(question.question, 1_000), options: JSON.stringify(options) };
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
    session: (agent_session_id) => add({ type: 'session', agent_session_id: cut(agent_session_id, 200) }),
    step: addStep,
    usage: (usage) => add({ type: 'usage', usage }),
    client: (client) => add({ type: 'client', client: cut(client, 200) }),
    ask: (question) =>
      ask(question).catch((error: unknown) => {
        if (!(error instanceof RunLost)) report(error);
        return null;
      }),
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
