import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Json, JsonObject, TaskContext } from '@errand/tasks';
import { MEMORY_MB, startBehindWall } from './wall.ts';

const SANDBOX = new URL('sandbox.mjs', import.meta.url).pathname;
const TIME_MS = 10_000;
const OUTPUT_BYTES = 65_536;

type Message =
  | { readonly kind: 'variable'; readonly value: { readonly name: string; readonly value?: Json } }
  | { readonly kind: 'progress'; readonly value: { readonly progress: number; readonly total?: number } }
  | { readonly kind: 'result' | 'error'; readonly value?: Json };

/** Runs a model's program as the work of a task. Program and task share only variables and progress. */
export async function runProgram(task: TaskContext): Promise<JsonObject> {
  const child = startBehindWall(SANDBOX);
  const exited = once(child, 'exit');
  const { source, time_ms } = task.arguments;
  const watch = watchOver(child, task.signal, Number(time_ms ?? TIME_MS));
  try {
    await task.setVariable('pid', child.pid ?? 0);
    // A program may end before it has read its input; only its output counts.
    child.stdin.on('error', () => undefined).end(JSON.stringify({ source, variables: task.variables() }));
    for await (const line of createInterface({ input: child.stdout })) {
      // A program's messages may be false; that harms only its own task.
      const answer = await take(JSON.parse(line) as Message, task);
      if (answer !== null) return answer;
    }
    const [code, signal] = await exited;
    task.signal.throwIfAborted();
    // V8 aborts like this when it is out of memory.
    const isOutOfMemory = code === 134 || signal === 'SIGABRT';
    return failure(watch.reason ?? (isOutOfMemory ? `The program took more than ${MEMORY_MB} MB.` : 'No result.'));
  } finally {
    watch.stop();
    child.kill('SIGKILL');
  }
}

async function take(message: Message, { setVariable, progress }: TaskContext): Promise<JsonObject | null> {
  switch (message.kind) {
    case 'variable':
      await setVariable(message.value.name, message.value.value ?? null);
      return null;
    case 'progress':
      await progress(message.value.progress, message.value.total);
      return null;
    case 'result':
      return { content: [{ type: 'text', text: JSON.stringify(message.value ?? null) }] };
    case 'error':
      return failure(`The program failed: ${message.value}`);
  }
}

/** Kills the process when it takes too long, writes too much or its task was cancelled. */
function watchOver(child: ReturnType<typeof startBehindWall>, signal: AbortSignal, time_ms: number) {
  const watch = { reason: undefined as string | undefined, stop: () => undefined as undefined };
  let bytes = 0;
  const kill = (reason: string): void => {
    watch.reason ??= reason;
    child.kill('SIGKILL');
  };
  const onAbort = () => kill('The task was cancelled.');
  const timer = setTimeout(() => kill(`The program took more than ${time_ms} ms.`), time_ms);
  signal.addEventListener('abort', onAbort, { once: true });
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > OUTPUT_BYTES) kill(`The program wrote more than ${OUTPUT_BYTES} bytes.`);
  });
  watch.stop = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  };
  return watch;
}

const failure = (text: string): JsonObject => ({ content: [{ type: 'text', text }], isError: true });
