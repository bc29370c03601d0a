import type { Tasks } from '@errand/tasks';
import type { Report } from '#failures';
import type { Change, McpHost } from '#host';
import { createComplete } from './completion.ts';
import { createPromptPart, type Prompt } from './prompt.ts';
import { createResourcePart, type Resource } from './resource.ts';
import { createServerTasks, type TaskOptions } from './server-tasks.ts';
import type { Tool } from './tool.ts';

export interface ServerOptions<Caller> {
  readonly name: string;
  readonly title?: string;
  readonly version: string;
  /** Instructions for the model about the whole server. */
  readonly instructions?: string | ((caller: Caller) => string);
  readonly tools?: readonly Tool<Caller>[];
  readonly resources?: readonly Resource<Caller>[];
  readonly prompts?: readonly Prompt<Caller>[];
  /** Options for calls of tools with `work`. */
  readonly tasks?: TaskOptions<Caller>;
  /** Called with errors of tasks that no client gets. */
  readonly report?: Report;
}

/** An MCP server. Each of the adapters can serve it. */
export interface McpServer<Caller> extends McpHost<Caller>, AsyncDisposable {
  /** Sends a change to the listening clients. */
  readonly announce: (change: Change) => void;
  /** The tasks of tools with `work`; undefined when no tool has any. */
  readonly task_runtime: Tasks | undefined;
  /** Hands running tasks back to their store. Close the adapters first. */
  readonly close: () => Promise<void>;
}

function byName<Entry>(entries: readonly Entry[], nameOf: (entry: Entry) => string): ReadonlyMap<string, Entry> {
  const found = new Map(entries.map((entry) => [nameOf(entry), entry] as const));
  if (found.size === entries.length) return found;
  const names = entries.map(nameOf);
  throw new TypeError(`${names.find((name, i) => names.indexOf(name) !== i)} is there twice.`);
}

/** Creates a server from tools, resources and prompts. */
export function createMcpServer<Caller = unknown>(options: ServerOptions<Caller>): McpServer<Caller> {
  const { name, title, version, instructions, report = () => undefined } = options;
  const tools = byName(options.tools ?? [], ({ shape }) => shape.name);
  const resources = byName(options.resources ?? [], ({ reference }) => reference);
  const prompts = byName(options.prompts ?? [], (entry) => entry.name);
  const shapes = [...tools.values()].map(({ shape }) => shape);
  const tasks = createServerTasks(tools, options.tasks ?? {}, report);
  const complete = createComplete(prompts, resources);
  const listeners = new Set<(change: Change) => void>();
  const close = async (): Promise<void> => tasks?.tasks.close();

  return {
    server_info: { name, ...(title !== undefined && { title }), version },
    ...(instructions !== undefined && {
      instructions: typeof instructions === 'string' ? () => instructions : instructions,
    }),
    tools: {
      list: () => shapes,
      ...(mirrors(shapes) && { mirroring: shapes }),
      call: (called, args, call) => tools.get(called)?.call(args, call),
    },
    ...(resources.size > 0 && { resources: createResourcePart([...resources.values()]) }),
    ...(prompts.size > 0 && { prompts: createPromptPart([...prompts.values()]) }),
    ...(tasks !== null && { tasks: tasks.part }),
    ...(complete !== undefined && { complete }),
    logging: true,
    changes: {
      subscribe: (_caller, listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    announce: (change) => {
      for (const listener of listeners) listener(change);
    },
    task_runtime: tasks?.tasks,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** True when any argument is repeated in a header. */
const mirrors = (shapes: readonly object[]): boolean => JSON.stringify(shapes).includes('"x-mcp-header"');
