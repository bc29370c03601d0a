import { setTimeout as pause } from 'node:timers/promises';
import type { CallContext, Change, McpHost, ToolAnswer, ToolShape } from '#host';
import type { JsonObject } from '#json';

export const TOOLS: readonly ToolShape[] = ['echo', 'fail', 'crash', 'ask', 'wait', 'tell'].map((name) => ({
  name,
  description: `The ${name} tool.`,
  inputSchema: { type: 'object', properties: {}, additionalProperties: true },
}));

export interface TestHost extends McpHost<string> {
  readonly announce: (change: Change) => void;
  /** Returns how many calls of `wait` have started. */
  readonly begun: () => number;
  /** Returns how many calls of `wait` were aborted. */
  readonly aborted: () => number;
  /** Returns how many calls of `wait` ran to their end. */
  readonly finished: () => number;
  /** How many listeners there are for changes. */
  readonly listening: () => number;
}

/** Makes a host with one tool for each ability of tools. */
export function aHost(overrides: Partial<McpHost<string>> = {}): TestHost {
  const listeners = new Set<(change: Change) => void>();
  const waits = { begun: 0, aborted: 0, finished: 0 };

  async function wait(context: CallContext<string>, args: { readonly ms?: unknown }): Promise<ToolAnswer> {
    const { signal } = context;
    waits.begun += 1;
    const ms = Number(args.ms ?? 60_000);
    await pause(ms, undefined, { signal }).catch(() => undefined);
    context.progress(1);
    if (signal.aborted) waits.aborted += 1;
    else waits.finished += 1;
    return { kind: 'json', json: '{"waited":true}', failed: false };
  }

  function call(name: string, args: JsonObject, context: CallContext<string>): Promise<ToolAnswer> | undefined {
    switch (name) {
      case 'echo':
        return Promise.resolve({ kind: 'json', json: JSON.stringify(args), failed: false });
      case 'fail':
        return Promise.resolve({ kind: 'json', json: '{"error":{"code":"not_found"}}', failed: true });
      case 'crash':
        return Promise.reject(new Error('secret words'));
      case 'ask':
        return Promise.resolve(ask(context));
      case 'wait':
        return wait(context, args);
      case 'tell':
        context.progress(1, 2);
        context.log('info', 'half way');
        return Promise.resolve({ kind: 'content', content: [{ type: 'text', text: 'streamed' }] });
      default:
        return undefined;
    }
  }

  return {
    server_info: { name: 'test', version: '1.2.3' },
    instructions: () => 'Test this.',
    tools: { list: () => TOOLS, call },
    logging: true,
    changes: {
      subscribe: (_caller, listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    ...overrides,
    announce: (change) => {
      for (const listener of listeners) listener(change);
    },
    begun: () => waits.begun,
    aborted: () => waits.aborted,
    finished: () => waits.finished,
    listening: () => listeners.size,
  };
}

function ask({ input_responses, request_state }: CallContext<string>): ToolAnswer {
  const { name }: { readonly name?: unknown } = input_responses;
  if (name !== undefined) return { kind: 'json', json: JSON.stringify({ name, request_state }), failed: false };
  const params = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
  return { kind: 'input_required', requests: { name: { method: 'elicitation/create', params } }, state: 'asked' };
}
