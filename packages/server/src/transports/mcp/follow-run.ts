import { setTimeout as pause } from 'node:timers/promises';
import { elicitation } from '@errand/mcp';
import type { InputRequest, JsonObject, TaskContext, Tasks } from '@errand/tasks';
import type { FollowedCall, RunNews, RunQuestion } from '#gateway/follow-run';
import type { Gateway } from '#gateway/gateway';
import { worded } from '#gateway/outcome';

/** The task variable that says that the task is about to be cancelled. */
export const STOPPING = '_stopping';

/** The task variable that says that the run has ended and only the end of the task is missing. */
const IS_OVER = '_is_over';

/** How long a task whose run was stopped waits for its cancellation. */
const CANCELLED_WITHIN_MS = 5_000;
const RETRY_MS = 1_000;

/** An invalid answer makes the question be asked again, at most this often. */
const MAX_QUESTIONS = 3;

/** Recorded as the answer to a question that was answered elsewhere. */
const DISMISSED: JsonObject = { action: 'cancel' };

export interface FollowRunNeeds {
  readonly gateway: Gateway;
  readonly settle: Tasks['answer'];
  readonly task: TaskContext;
  readonly call: FollowedCall;
}

const keysOf = ({ approval_id }: Pick<RunQuestion, 'approval_id'>): readonly string[] =>
  Array.from({ length: MAX_QUESTIONS }, (_, i) => (i === 0 ? approval_id : `${approval_id}:${i + 1}`));

const fieldOf = ({ options }: RunQuestion): JsonObject =>
  options.length === 0
    ? { type: 'string', title: 'Answer', minLength: 1 }
    : {
        type: 'string',
        title: 'Answer',
        oneOf: options.map(({ option, name }) => ({ const: option, title: name })),
      };

function formOf(question: RunQuestion, problem: string | null): InputRequest {
  const message = [problem, question.question, question.details].filter((part) => part !== null).join('\n\n');
  const requestedSchema: JsonObject = {
    type: 'object',
    properties: { answer: fieldOf(question) },
    required: ['answer'],
  };
  return elicitation(message, requestedSchema);
}

interface Filled {
  readonly action?: unknown;
  readonly content?: { readonly answer?: unknown } | null;
}

/** Turns an answer into the agent's response; null when it decides nothing: then the question stays open. */
function responseTo({ options }: RunQuestion, answer: JsonObject): JsonObject | null {
  const { action, content }: Filled = answer;
  if (action === 'decline') return { decision: 'deny' };
  if (action !== 'accept') return null;
  const given = String(content?.answer ?? '');
  return options.length === 0 ? { answer: given } : { option: given };
}

/** The ids in the answer of the call: a client that gets a task instead finds the run by them. */
// The cast: every answer of a tool is an object.
const idsIn = (json: string): JsonObject =>
  Object.fromEntries(
    Object.entries(JSON.parse(json) as JsonObject).filter(
      ([name, id]) => (name.endsWith('_id') && typeof id === 'string') || name === 'attempts',
    ),
  );

/** Waits for the cancellation of a task whose run was stopped: the task must not end in another way before. */
export async function leaveToCanceller(task: TaskContext): Promise<void> {
  await task.setVariable(IS_OVER, true);
  if (task.getVariable(STOPPING) !== true) return;
  await pause(CANCELLED_WITHIN_MS, undefined, { signal: task.signal });
}

type RunEnd = NonNullable<RunNews['end']> & Pick<RunNews, 'message'>;

/** Keeps a task up to date with the run that its call started; null when the call started no run. */
export async function followRun({ gateway, settle, task, call }: FollowRunNeeds): Promise<RunEnd | null> {
  if (call.tool.follows === null) return null;
  const asked = new Map<string, { readonly question: RunQuestion; isOpen: boolean }>();

  /** Returns the problem with the answer; null when it was accepted, or came too late. */
  async function respond(approval_id: string, key: string, response: JsonObject): Promise<string | null> {
    const tool = gateway.find('respond_approval', 'board');
    if (tool === undefined) return null;
    const input = { approval_id, ...response, idempotency_key: `task:${task.task_id}:${key}` };
    for (;;) {
      const outcome = await gateway.dispatch({ caller: await call.who(), tool, input, transport: call.transport });
      if (outcome.ok) return null;
      const { code, message, retryable } = worded(outcome.error);
      if (!retryable) return code === 'validation_error' ? message : null;
      await pause(RETRY_MS, undefined, { signal: task.signal });
    }
  }

  async function ask(question: RunQuestion): Promise<void> {
    let problem: string | null = null;
    for (const key of keysOf(question)) {
      const response = responseTo(question, await task.requireInput(key, formOf(question, problem)));
      problem = response === null ? null : await respond(question.approval_id, key, response);
      if (problem === null) return;
    }
  }

  function askAll(questions: readonly RunQuestion[]): void {
    for (const question of questions) {
      if (asked.has(question.approval_id)) continue;
      const asking = { question, isOpen: true };
      asked.set(question.approval_id, asking);
      // A question that cannot be asked here waits for its answer elsewhere, and so does the run.
      void ask(question)
        .catch(() => undefined)
        .finally(() => {
          asking.isOpen = false;
        });
    }
  }

  async function settleOthers(questions: readonly RunQuestion[]): Promise<void> {
    const pending = new Set(questions.map(({ approval_id }) => approval_id));
    const over = [...asked.values()].filter(({ question, isOpen }) => isOpen && !pending.has(question.approval_id));
    const answers = over.flatMap(({ question }) => keysOf(question).map((key) => [key, DISMISSED] as const));
    if (answers.length > 0) await settle(task.owner_id, task.task_id, Object.fromEntries(answers));
  }

  await task.setVariables(idsIn(call.json));
  let last = '';
  for await (const { message, done, total, questions, end } of gateway.follow(call, task.signal)) {
    if (message !== last) await task.setStatusMessage(message);
    last = message;
    if (total > 0) await task.progress(done, total, message);
    await settleOthers(questions);
    askAll(questions);
    if (end === null) continue;
    await leaveToCanceller(task);
    return { ...end, message };
  }
  return null;
}
