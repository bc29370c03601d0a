export const TRANSPORTS = ['HTTP', 'stdio'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** How an agent reaches Errand. */
export type Server =
  | { readonly url: string; readonly token: string }
  | { readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };

export interface Setting {
  /** A folder of its own, which is empty: nothing of the person who runs this is read. */
  readonly home: string;
  /** Where the scripted model listens. */
  readonly model: string;
  readonly server: Server;
}

export interface Launch {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What it reads at its start, by path below its home. */
  readonly files: Readonly<Record<string, string>>;
}

export type Told = 'client' | 'session';

/** A coding agent that is installed from npm and runs without a person. */
export interface Agent {
  readonly title: string;
  readonly package_name: string;
  readonly version: string;
  readonly command: string;
  /** Of its package: puts the program of this machine where its command looks for it. Other install scripts never run. */
  readonly install_script?: string;
  readonly launch: (setting: Setting) => Launch;
  /** What it tells a server of itself without being asked. */
  readonly tells: Readonly<Record<Transport, readonly Told[]>>;
  /** What it calls its session itself, found in what it prints. */
  readonly sessionIn: (stdout: string) => string | undefined;
}

export const PROMPT = 'Report your work.';

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
