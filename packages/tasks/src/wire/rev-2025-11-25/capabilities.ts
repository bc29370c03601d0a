import type { JsonObject } from '#json';

/** How a tool stands to tasks; a tool that says nothing forbids them. */
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
  /** For a server that cannot tell its requestors apart: a list would show everyone's tasks to everyone. */
  toolsOnly: (): ServerTaskCapabilities => ({ requests: { tools: { call: {} } } }),
};

export const clientTaskCapabilities = {
  full: (): ClientTaskCapabilities => ({
    list: {},
    cancel: {},
    requests: { elicitation: { create: {} }, sampling: { createMessage: {} } },
  }),
};

/** The capabilities as members of those of the server, also where clients look that know tasks as an experiment. */
export const declareTasks = <Capabilities extends ServerTaskCapabilities>(tasks: Capabilities) => ({
  tasks,
  experimental: { tasks },
});

export const toolExecution = (taskSupport: TaskSupport): ToolExecution => ({ taskSupport });
