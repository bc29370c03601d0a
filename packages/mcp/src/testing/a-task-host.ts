import { createTasks, type InputRequest, type TaskHandler, type TaskLimits, type Tasks } from '@errand/tasks';
import { memoryStore } from '@errand/tasks/memory';
import type { CallContext, McpHost, TaskSupport, ToolAnswer, ToolShape } from '#host';
import { aHost, type TestHost } from './a-host.ts';

const ASK: InputRequest = {
  method: 'elicitation/create',
  params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } },
};

const says = (text: string) => ({ content: [{ type: 'text', text }] });
const answers = (text: string): ToolAnswer => ({ kind: 'content', ...says(text) });

const SUPPORT: ReadonlyMap<string, TaskSupport> = new Map([
  ['work', 'optional'],
  ['confirm', 'optional'],
  ['must', 'required'],
  ['greet', 'required'],
]);

const SHAPES: readonly ToolShape[] = ['echo', ...SUPPORT.keys()].map((name) => ({
  name,
  description: `The ${name} tool.`,
  inputSchema: { type: 'object', properties: {}, additionalProperties: true },
}));

export interface TaskHost extends TestHost, AsyncDisposable {
  readonly engine: Tasks;
  /** Lets every `work` finish. */
  readonly release: () => void;
}

interface Options extends Partial<McpHost<string>> {
  readonly limits?: Partial<TaskLimits>;
}

/** Makes a host with tasks. Every caller has a name except `nobody`. */
export function aTaskHost({ limits = {}, ...overrides }: Options = {}): TaskHost {
  const released = Promise.withResolvers<void>();
  const tools: Readonly<Record<string, TaskHandler>> = {
    work: async (task) => {
      await task.setVariable('stage', 'begun');
      await task.progress(1, 2, 'half way');
      await released.promise;
      return says('worked');
    },
    confirm: async (task) => says(JSON.stringify(await task.requireInput('sure', ASK))),
    must: async () => ({ ...says('did not'), isError: true }),
    greet: async ({ context }) => says(`Hello, ${JSON.stringify(context.given)}`),
  };
  const engine = createTasks({ store: memoryStore(), tools, limits, poll_interval_ms: 20 });
  const plain = aHost();

  function call(name: string, args: Readonly<Record<string, unknown>>, context: CallContext<string>) {
    if (name === 'work') return Promise.resolve(answers('at once'));
    if (name === 'greet') {
      return Promise.resolve<ToolAnswer>({ kind: 'input_required', requests: { name: ASK }, state: 'asked' });
    }
    return plain.tools.call(name, args, context);
  }

  return {
    ...plain,
    tools: { list: () => SHAPES, call },
    tasks: {
      tasksOf: () => engine,
      requestorOf: (caller, session_id) => (caller === 'nobody' ? { session_id } : { subject: caller }),
      supportOf: (tool) => SUPPORT.get(tool) ?? 'forbidden',
      detailsOf: (tool, _args, { input_responses }) => ({
        // The cast: these are answers to this host's own questions.
        context: { given: (input_responses.name ?? null) as null },
        ...(tool === 'work' && { immediate_response: 'It has begun.' }),
      }),
      becomesTask: (tool, { input_responses }) => tool !== 'greet' || 'name' in input_responses,
    },
    ...overrides,
    engine,
    release: released.resolve,
    [Symbol.asyncDispose]: () => engine.close({ grace_ms: 0 }),
  };
}
