import type { Conversation } from '#runner/executors/conversation';

export interface KnownVariant {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The mode of its sessions, for an agent that has modes. */
  readonly mode?: string;
}

/** Signs that a person has logged in; any one of them is enough. */
export interface Credentials {
  /** Names of variables. */
  readonly variables: readonly string[];
  /** Files below the home folder, and what has to be in them. */
  readonly files: readonly { readonly path: string; readonly holds?: RegExp }[];
  /** Arguments by which the program itself tells: it ends with 0 when logged in. */
  readonly status?: readonly string[];
}

/** A coding agent whose ways we know. */
export interface KnownAgent {
  readonly name: string;
  readonly title: string;
  readonly kind: 'command' | 'acp';
  readonly argv: readonly [string, ...string[]];
  readonly package_name: string;
  /** What a person has to do. */
  readonly login: string;
  /** Null where nothing tells without asking the agent itself. */
  readonly credentials: Credentials | null;
  /** Variables that it may have besides those of every run. */
  readonly passes: readonly string[];
  /** Variables with which it tells of itself without using the network. */
  readonly env_to_ask?: Readonly<Record<string, string>>;
  /** Variables that it has in every run. */
  readonly env?: Readonly<Record<string, string>>;
  readonly variants: Readonly<Record<string, KnownVariant>>;
  /** How many of its runs may go on at once here; no limit of its own unless given. */
  readonly max_runs?: number;
  /**
   * What an ACP agent says at last when its model has failed, and it ends its turn as if all were well; the first group says
   * why. Unless given, the answer to the prompt tells.
   */
  readonly told_failure?: RegExp;
  /** Null for an agent that speaks ACP. */
  readonly conversation: Conversation | null;
}
