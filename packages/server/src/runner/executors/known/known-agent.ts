import type { Conversation } from '#runner/executors/conversation';

export interface KnownVariant {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The mode of its sessions, for an agent that has modes. */
  readonly mode?: string;
}

/** Signs that a person has logged in; any one of them is enough. */
export interface Credentials {
  /** Names of environment variables. */
  readonly variables: readonly string[];
  /** Files below the home folder, and the text that they must contain. */
  readonly files: readonly { readonly path: string; readonly holds?: RegExp }[];
  /** Arguments with which the program itself reports it: exit code 0 means logged in. */
  readonly status?: readonly string[];
}

/** A coding agent that Errand knows how to run. */
export interface KnownAgent {
  readonly name: string;
  readonly title: string;
  readonly kind: 'command' | 'acp';
  readonly argv: readonly [string, ...string[]];
  readonly package_name: string;
  /** What a person has to do to log in. */
  readonly login: string;
  /** Null where only the agent itself can tell. */
  readonly credentials: Credentials | null;
  /** Variables that it gets in addition to those of every run. */
  readonly passes: readonly string[];
  /** Variables with which it answers questions about itself without the network. */
  readonly env_to_ask?: Readonly<Record<string, string>>;
  /** Variables that it gets in every run. */
  readonly env?: Readonly<Record<string, string>>;
  readonly variants: Readonly<Record<string, KnownVariant>>;
  /** How many of its runs may run at once here; by default no limit of its own. */
  readonly max_runs?: number;
  /**
   * Matches the last message of an ACP agent whose model has failed, and which ends its turn normally; the first group is
   * the reason. By default the answer to the prompt reports it.
   */
  readonly failure_pattern?: RegExp;
  /** Null for an agent that speaks ACP. */
  readonly conversation: Conversation | null;
}
