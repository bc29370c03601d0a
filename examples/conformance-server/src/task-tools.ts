import { setTimeout as pause } from 'node:timers/promises';
import { failure, inputRequired, isObject, jsonSchema, type Tool, tool } from '@errand/mcp';
import { type InputRequest, RpcFailure, type TaskContext } from '@errand/tasks';
import { filledIn, form } from './content.ts';
import type { FixtureCaller } from './tools.ts';

const STEPS = 4;

const askName = form('What is your name?', { name: { type: 'string' } });
const confirm = (message: string) => form(message, { confirm: { type: 'boolean' } });

/** Safe: questions here are JSON, which the type of a form does not say. */
const ask = (task: TaskContext, key: string, question: ReturnType<typeof form>) =>
  task.requireInput(key, question as InputRequest);

interface Computation {
  readonly seconds?: number;
  readonly label?: string;
}

const computed = ({ seconds = 1, label = 'result' }: Computation): string => `${label}: computed for ${seconds} s.`;

async function compute({ seconds = 1, label = 'result' }: Computation, task: TaskContext): Promise<string> {
  await task.setVariable('label', label);
  for (let step = 1; seconds > 0 && step <= STEPS; step += 1) {
    await pause((seconds * 1_000) / STEPS, undefined, { signal: task.signal });
    await task.progress(step, STEPS);
  }
  return computed({ seconds, label });
}

const nameIn = (response: unknown): unknown => filledIn(response)?.name;

/** The name may have been answered before the task began. */
async function greetLater(_input: unknown, task: TaskContext): Promise<string> {
  const { input_responses: given }: { readonly input_responses?: unknown } = task.context;
  const known = isObject(given) ? nameIn(given.user_name) : undefined;
  return `Hello, ${String(known ?? nameIn(await ask(task, 'user_name', askName)))}!`;
}

/** Tools whose calls can outlive their request. */
export const TASK_TOOLS: readonly Tool<FixtureCaller>[] = [
  tool({
    name: 'slow_compute',
    description: 'Computes for some seconds.',
    input: jsonSchema<Computation>({
      type: 'object',
      properties: { seconds: { type: 'number' }, label: { type: 'string' } },
    }),
    begun: 'The computation has begun.',
    work: compute,
    run: async (input, { signal }) => {
      await pause((input.seconds ?? 1) * 1_000, undefined, { signal });
      return computed(input);
    },
  }),
  tool({
    name: 'failing_job',
    description: 'Fails after a while.',
    work: async (_input, { signal }) => {
      await pause(1_000, undefined, { signal });
      return failure('The job failed.');
    },
  }),
  tool({
    name: 'protocol_error_job',
    description: 'Ends with an error of the protocol.',
    work: () => Promise.reject(new RpcFailure(-32603, 'The job broke down.')),
  }),
  tool({
    name: 'confirm_delete',
    description: 'Asks before it deletes.',
    input: jsonSchema<{ readonly filename: string }>({
      type: 'object',
      properties: { filename: { type: 'string' } },
      required: ['filename'],
    }),
    work: async ({ filename }, task) => {
      const filled = filledIn(await ask(task, 'confirm', confirm(`Delete ${filename}?`)));
      return filled?.confirm === true ? `Deleted ${filename}.` : `Kept ${filename}.`;
    },
  }),
  tool({
    name: 'multi_input',
    description: 'Asks two questions at once.',
    work: async (_input, task) => {
      const colour = form('Which colour?', { colour: { type: 'string' } });
      const answers = await Promise.all([ask(task, 'name', askName), ask(task, 'colour', colour)]);
      return JSON.stringify(Object.assign({}, ...answers.map(filledIn)));
    },
  }),
  tool({
    name: 'test_tool_with_task',
    description: 'Asks for a name, then greets in a task.',
    task: 'required',
    becomesTask: ({ input_responses }) => 'user_name' in input_responses,
    run: () => inputRequired({ user_name: askName }),
    work: greetLater,
  }),
];
