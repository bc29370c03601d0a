/** The machine that holds a client's configuration. */
export interface Machine {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
}

/** A client that adds Errand with its own command. */
interface CommandSetup {
  readonly kind: 'command';
  readonly argv: readonly string[];
  /** The command that removes the entry. */
  readonly undo: readonly string[];
}

/** A client whose configuration file Errand edits. */
interface FileSetup {
  readonly kind: 'file';
  readonly format: 'toml' | 'jsonc';
  /** The path of the file, as people write it. */
  readonly shown_path: string;
  /** The key or table that holds the servers. */
  readonly section: string;
  readonly entry: Readonly<Record<string, unknown>>;
  /** The value that the client asks the person for, because the file must not hold it. */
  readonly input?: { readonly id: string };
}

export type Setup = CommandSetup | FileSetup;

export interface Client {
  /** What `errand connect` calls it. */
  readonly name: string;
  /** The program's name on the PATH. */
  readonly command: string;
  readonly title: string;
  readonly setup: (mcp_url: string, token: string) => Setup;
  /** The possible paths of the configuration file; the first is created when none exists. */
  readonly files?: (machine: Machine) => readonly string[];
  /** The client's own command that fails when its configuration file is invalid. */
  readonly check?: readonly string[];
  /** The folder of an editor. The editor is also found by this folder, and never started. */
  readonly folder?: (machine: Machine) => string;
}

/** The name of the entry in every client's configuration. */
export const SERVER = 'errand';
/** How long Codex waits for the server at its start. */
const STARTUP_TIMEOUT_S = 30;

const bearer = (token: string): string => `Bearer ${token}`;

/** The entry of one server, for clients that keep their servers in a file. */
export const serverEntry = (mcp_url: string, token: string) => ({
  type: 'http' as const,
  url: mcp_url,
  headers: { Authorization: bearer(token) },
});

interface CommandForm {
  readonly add: (url: string, header: string) => readonly string[];
  readonly undo: readonly string[];
}

const byCommand =
  (command: string, { add, undo }: CommandForm): Client['setup'] =>
  (url, token) => ({
    kind: 'command',
    argv: [command, 'mcp', 'add', ...add(url, `Authorization: ${bearer(token)}`)],
    undo: [command, 'mcp', 'remove', ...undo],
  });

const inJson =
  (shown_path: string, section: string, type?: string): Client['setup'] =>
  (url, token) => ({
    kind: 'file',
    format: 'jsonc',
    shown_path,
    section,
    entry: { ...serverEntry(url, token), ...(type !== undefined && { type }) },
  });

function codeFolder({ home, env, platform }: Machine): string {
  if (platform === 'darwin') return `${home}/Library/Application Support/Code/User`;
  if (platform === 'win32') return `${env.APPDATA ?? `${home}/AppData/Roaming`}/Code/User`;
  return `${env.XDG_CONFIG_HOME || `${home}/.config`}/Code/User`;
}

/** All clients with a known set-up, in the order in which they are shown. */
export const CLIENTS: readonly Client[] = [
  {
    name: 'claude',
    command: 'claude',
    title: 'Claude Code',
    // `user`, because Claude Code's default scope is only the folder in which the command was typed.
    setup: byCommand('claude', {
      add: (url, header) => ['-s', 'user', '--transport', 'http', SERVER, url, '--header', header],
      undo: ['-s', 'user', SERVER],
    }),
  },
  {
    name: 'codex',
    command: 'codex',
    title: 'Codex',
    setup: (url, token) => ({
      kind: 'file',
      format: 'toml',
      shown_path: '~/.codex/config.toml',
      section: 'mcp_servers',
      // Without `required`, Codex silently starts without the tools when the server is away.
      entry: {
        url,
        http_headers: { Authorization: bearer(token) },
        required: true,
        startup_timeout_sec: STARTUP_TIMEOUT_S,
      },
    }),
    files: ({ home, env }) => [`${env.CODEX_HOME || `${home}/.codex`}/config.toml`],
    check: ['codex', 'mcp', 'list'],
  },
  {
    name: 'gemini',
    command: 'gemini',
    title: 'Gemini CLI',
    setup: byCommand('gemini', {
      add: (url, header) => ['-s', 'user', '-t', 'http', '-H', header, SERVER, url],
      undo: ['-s', 'user', SERVER],
    }),
  },
  {
    name: 'opencode',
    command: 'opencode',
    title: 'opencode',
    setup: inJson('~/.config/opencode/opencode.jsonc', 'mcp', 'remote'),
    files: ({ home, env }) => {
      const folder = `${env.XDG_CONFIG_HOME || `${home}/.config`}/opencode`;
      return [`${folder}/opencode.jsonc`, `${folder}/opencode.json`];
    },
  },
  {
    name: 'qwen',
    command: 'qwen',
    title: 'Qwen Code',
    setup: byCommand('qwen', {
      add: (url, header) => ['-s', 'user', '-t', 'http', '-H', header, SERVER, url],
      undo: ['-s', 'user', SERVER],
    }),
  },
  {
    name: 'copilot',
    command: 'copilot',
    title: 'Copilot CLI',
    setup: byCommand('copilot', {
      add: (url, header) => ['--transport', 'http', '--header', header, SERVER, url],
      undo: [SERVER],
    }),
  },
  {
    name: 'cline',
    command: 'cline',
    title: 'Cline',
    setup: byCommand('cline', {
      add: (url, header) => [SERVER, url, '--transport', 'streamableHttp', '--header', header, '--yes'],
      undo: [SERVER],
    }),
  },
  {
    name: 'cursor',
    command: 'cursor',
    title: 'Cursor',
    setup: inJson('~/.cursor/mcp.json', 'mcpServers'),
    files: ({ home }) => [`${home}/.cursor/mcp.json`],
    folder: ({ home }) => `${home}/.cursor`,
  },
  {
    name: 'vscode',
    command: 'code',
    title: 'VS Code',
    setup: inJson('mcp.json of the user profile', 'servers'),
    files: (machine) => [`${codeFolder(machine)}/mcp.json`],
    folder: codeFolder,
  },
];

export const CLIENT_NAMES = CLIENTS.map(({ name }) => name).join(', ');

/** The link that opens Cursor, which then offers to add the server. */
export function cursorLink(mcp_url: string, token: string): string {
  const config = Buffer.from(JSON.stringify(serverEntry(mcp_url, token))).toString('base64');
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=${SERVER}&config=${encodeURIComponent(config)}`;
}

const TOKEN_INPUT = { type: 'promptString', id: 'errand-token', description: 'Token of the agent', password: true };

/** The content of `.vscode/mcp.json`. The file is committed, so VS Code asks for the token and keeps it elsewhere. */
export const vscodeProject = (mcp_url: string) => {
  const entry = serverEntry(mcp_url, `\${input:${TOKEN_INPUT.id}}`);
  return { input: TOKEN_INPUT, entry, file: { inputs: [TOKEN_INPUT], servers: { [SERVER]: entry } } };
};

const PLAIN = /^[\w@%+=:,./-]+$/;

const quote = (word: string): string => (PLAIN.test(word) ? word : JSON.stringify(word));

/** Writes a value as TOML. Strings, numbers and booleans are as in JSON; the keys of objects here need no quotes. */
function tomlValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, inner]) => `${key} = ${tomlValue(inner)}`);
  return `{ ${pairs.join(', ')} }`;
}

export const tomlTable = (section: string, entry: FileSetup['entry']): string =>
  [`[${section}.${SERVER}]`, ...Object.entries(entry).map(([key, value]) => `${key} = ${tomlValue(value)}`)].join('\n');

/** The set-up as lines: a shell command, or the content of the file that the first line names. */
export function setupLines(setup: Setup): readonly string[] {
  if (setup.kind === 'command') return [setup.argv.map(quote).join(' ')];
  const { format, shown_path, section, entry } = setup;
  if (format === 'toml') return [`# ${shown_path}`, ...tomlTable(section, entry).split('\n')];
  return [`// ${shown_path}`, ...JSON.stringify({ [section]: { [SERVER]: entry } }, null, 2).split('\n')];
}
