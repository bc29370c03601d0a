export const TRANSPORTS = ['HTTP', 'stdio'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** The connection of an agent to Errand. */
export type Server =
  | { readonly url: string; readonly token: string }
  | { readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };

export interface Setting {
  /** An empty home folder: nothing of the real user is read. */
  readonly home: string;
  /** The address of the scripted model. */
  readonly model: string;
  readonly server: Server;
}

export interface Launch {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Configuration files of the agent, by path below its home. */
  readonly files: Readonly<Record<string, string>>;
}

export type ClientFact = 'client' | 'session';

/** A coding agent that is installed from npm and runs without a person. */
export interface Agent {
  readonly title: string;
  readonly package_name: string;
  readonly version: string;
  readonly command: string;
  /** The package's script that installs the binary of this platform. Other install scripts never run. */
  readonly install_script?: string;
  readonly launch: (setting: Setting) => Launch;
  /** The data that the agent sends about itself, by transport. */
  readonly sends: Readonly<Record<Transport, readonly ClientFact[]>>;
  /** Finds the agent's session id in its output. */
  readonly sessionIn: (stdout: string) => string | undefined;
}

export const PROMPT = 'Report your work.';

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
