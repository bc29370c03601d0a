import type { ScriptedCall } from '../model/script.ts';

export interface BoardSetting {
  /** The home of whoever runs the server: nothing else of theirs is read. */
  readonly home: string;
  /** Where the scripted model listens. */
  readonly model: string;
}

/** A coding agent as a person has it on their machine, before Errand starts it. */
export interface BoardAgent {
  readonly title: string;
  readonly version: string;
  /** As list_executors names it. */
  readonly executor: string;
  /** How it is started, for one that is not found on the PATH alone. */
  readonly configured?: (setting: BoardSetting) => object;
  /** What is in the home, by path. */
  readonly files: (setting: BoardSetting) => Readonly<Record<string, string>>;
  /** What the server is started with. */
  readonly env: (setting: BoardSetting) => Readonly<Record<string, string>>;
  /** How a model has this agent write a file. */
  readonly write: (folder: string, name: string, text: string) => ScriptedCall;
  /** Resolves when the agent can resume a session that it has begun just now. */
  readonly settled?: () => Promise<void>;
}
