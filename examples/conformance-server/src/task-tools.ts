import { setTimeout as pause } from 'node:timers/promises';
import type { TaskSupport, ToolShape } from '@errand/mcp';
import { isObject } from '@errand/mcp';
import { type JsonObject as Json, RpcFailure, type TaskContext, type TaskHandler } from '@errand/tasks';
import { asks, filledIn, form, says, text } from './content.ts';
import { type FixtureTool, NO_INPUT } from './tools.ts';

export interface TaskTool extends ToolShape {
  readonly support: TaskSupport;
  readonly work: TaskHandler;
  /** What the model is told while the task goes on. */
  readonly immediate_response?: string;
  /** Answers a call that does not become a task. */
  readonly run?: FixtureTool['run'];
}

const STEPS = 4;

const answer = (words: string): Json => ({ content: [{ type: 'text', text: words }] });

const askName = form('What is your name?', { name: { type: 'string' } });
const confirm = (message: string) => form(message, { confirm: { type: 'boolean' } });

/** A question of the host as one of a task: the same JSON, known to be that. */
type Question = Parameters<TaskContext['requireInput']>[1];
const ask = (task: TaskContext, key: string, question: ReturnType<typeof form>): Promise<Json> =>
  task.requireInput(key, question as Question);

interface Computation {
  readonly seconds?: unknown;
  readonly label?: unknown;
}

async function compute(task: TaskContext): Promise<Json> {
  const { seconds = 1, label = 'result' }: Computation = task.arguments;
  await task.setVariable('label', String(label));
  for (let step = 1; Number(seconds) > 0 && step <= STEPS; step += 1) {
    await pause((Number(seconds) * 1_000) / STEPS, undefined, { signal: task.signal });
    await task.progress(step, STEPS);
  }
  return answer(`${String(label)}: computed for ${String(seconds)} s.`);
}

async function confirmDelete(task: TaskContext): Promise<Json> {
  const { filename }: { readonly filename?: unknown } = task.arguments;
  const filled = filledIn(await ask(task, 'confirm', confirm(`Delete ${String(filename)}?`)));
  return answer(filled?.confirm === true ? `Deleted ${String(filename)}.` : `Kept ${String(filename)}.`);
}

async function askTwice(task: TaskContext): Promise<Json> {
  const [name, colour] = await Promise.all([
    ask(task, 'name', askName),
    ask(task, 'colour', form('Which colour?', { colour: { type: 'string' } })),
  ]);
  return answer(JSON.stringify({ ...filledIn(name), ...filledIn(colour) }));
}

const nameIn = (response: unknown): unknown => filledIn(response)?.name;

/** The name may have been asked for before the task began. */
async function greetLater(task: TaskContext): Promise<Json> {
  const { input_responses: given }: { readonly input_responses?: unknown } = task.context;
  const known = isObject(given) ? nameIn(given.user_name) : undefined;
  return answer(`Hello, ${String(known ?? nameIn(await ask(task, 'user_name', askName)))}!`);
}

/** Tools whose calls can outlive their request. */
export const TASK_TOOLS: readonly TaskTool[] = [
  {
    name: 'slow_compute',
    description: 'Computes for some seconds.',
    inputSchema: { type: 'object', properties: { seconds: { type: 'number' }, label: { type: 'string' } } },
    support: 'optional',
    immediate_response: 'The computation has begun.',
    work: compute,
    run: async ({ seconds = 1, label = 'result' }: Computation, { signal }) => {
      await pause(Number(seconds) * 1_000, undefined, { signal });
      return says(text(`${String(label)}: computed for ${String(seconds)} s.`));
    },
  },
  {
    name: 'failing_job',
    description: 'Fails after a while.',
    inputSchema: NO_INPUT,
    support: 'required',
    work: async ({ signal }) => {
      await pause(1_000, undefined, { signal });
      return { ...answer('The job failed.'), isError: true };
    },
  },
  {
    name: 'protocol_error_job',
    description: 'Ends with an error of the protocol.',
    inputSchema: NO_INPUT,
    support: 'required',
    work: () => Promise.reject(new RpcFailure(-32603, 'The job broke down.')),
  },
  {
    name: 'confirm_delete',
    description: 'Asks before it deletes.',
    inputSchema: { type: 'object', properties: { filename: { type: 'string' } }, required: ['filename'] },
    support: 'required',
    work: confirmDelete,
  },
  {
    name: 'multi_input',
    description: 'Asks two questions at once.',
    inputSchema: NO_INPUT,
    support: 'required',
    work: askTwice,
  },
  {
    name: 'test_tool_with_task',
    description: 'Asks for a name, then greets in a task.',
    inputSchema: NO_INPUT,
    support: 'required',
    work: greetLater,
    run: async () => asks({ user_name: askName }),
  },
];
