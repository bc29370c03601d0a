import type { JsonObject } from '#json';

/** The support of a tool for tasks. A tool without this setting forbids tasks. */
export type TaskSupport = 'forbidden' | 'optional' | 'required';

/** The member `execution` of a tool in `tools/list`. */
export type ToolExecution = { readonly taskSupport: TaskSupport };

export type ServerTaskCapabilities = {
  readonly list?: JsonObject;
  readonly cancel?: JsonObject;
  readonly requests?: { readonly tools?: { readonly call?: JsonObject } };
};

export type ClientTaskCapabilities = {
  readonly list?: JsonObject;
  readonly cancel?: JsonObject;
  readonly requests?: {
    readonly elicitation?: { readonly create?: JsonObject };
    readonly sampling?: { readonly createMessage?: JsonObject };
  };
};

export const serverTaskCapabilities = {
  full: (): ServerTaskCapabilities => ({ list: {}, cancel: {}, requests: { tools: { call: {} } } }),
  /** For a server that cannot distinguish its requestors: a list would show everyone's tasks to everyone. */
  toolsOnly: (): ServerTaskCapabilities => ({ requests: { tools: { call: {} } } }),
};

export const clientTaskCapabilities = {
  full: (): ClientTaskCapabilities => ({
    list: {},
    cancel: {},
    requests: { elicitation: { create: {} }, sampling: { createMessage: {} } },
  }),
};

/** Returns the members to add to the server's capabilities, also under `experimental`, where older clients look. */
export const declareTasks = <Capabilities extends ServerTaskCapabilities>(tasks: Capabilities) => ({
  tasks,
  experimental: { tasks },
});

export const toolExecution = (taskSupport: TaskSupport): ToolExecution => ({ taskSupport });
