import type { WireError } from '../../packages/server/src/gateway/gateway.ts';

export type Answer =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: WireError };

export type TodoTool = 'add_task' | 'list_tasks' | 'complete_task' | 'delete_task' | 'update_task';

export type Arguments = Readonly<Record<string, unknown>>;

/** A client with a token, on one transport of Errand. */
export interface Client extends AsyncDisposable {
  readonly call: (tool: TodoTool, args: Arguments) => Promise<Answer>;
}

/** One of the ways into Errand. */
export interface Driver {
  readonly name: string;
  readonly connect: (token: string) => Promise<Client>;
}
