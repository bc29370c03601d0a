import type { ScriptedCall } from '../model/script.ts';

export interface BoardSetting {
  /** The home folder of the server's user: nothing else of the user is read. */
  readonly home: string;
  /** The address of the scripted model. */
  readonly model: string;
}

/** A coding agent on a person's machine, before Errand starts it. */
export interface BoardAgent {
  readonly title: string;
  readonly version: string;
  /** Its name in list_executors. */
  readonly executor: string;
  /** The executor's settings, for an agent that is not found on the PATH alone. */
  readonly configured?: (setting: BoardSetting) => object;
  /** Files in the home folder, by path. */
  readonly files: (setting: BoardSetting) => Readonly<Record<string, string>>;
  /** Environment variables of the server. */
  readonly env: (setting: BoardSetting) => Readonly<Record<string, string>>;
  /** Makes the tool call with which a model lets this agent write a file. */
  readonly write: (folder: string, name: string, text: string) => ScriptedCall;
  /** Resolves when the agent can resume a session that it has just started. */
  readonly settled?: () => Promise<void>;
}
