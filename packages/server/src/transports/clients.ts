/** How a client is told of Errand: its own command, and what has to be in its environment when it runs. */
export interface Setup {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Client {
  /** The program's name on the PATH, which is also what `errand connect` calls it. */
  readonly command: string;
  readonly title: string;
  readonly setup: (mcp_url: string, token: string) => Setup;
}

const bearer = (token: string): string => `Authorization: Bearer ${token}`;

const withHeader =
  (argv: (mcp_url: string, header: string) => readonly string[]) => (mcp_url: string, token: string) => ({
    argv: argv(mcp_url, bearer(token)),
    env: {},
  });

/** The one list of clients whose set-up is known, in the order in which they are shown. */
export const CLIENTS: readonly Client[] = [
  {
    command: 'claude',
    title: 'Claude Code',
    setup: withHeader((url, header) => [
      'claude',
      ...['mcp', 'add', '--transport', 'http', 'errand', url, '--header', header],
    ]),
  },
  {
    command: 'codex',
    title: 'Codex',
    // Codex keeps no secret in its configuration: it reads the token from its environment at every start.
    setup: (url, token) => ({
      argv: ['codex', 'mcp', 'add', 'errand', '--url', url, '--bearer-token-env-var', 'ERRAND_TOKEN'],
      env: { ERRAND_TOKEN: token },
    }),
  },
  {
    command: 'gemini',
    title: 'Gemini CLI',
    setup: withHeader((url, header) => [
      'gemini',
      ...['mcp', 'add', '-s', 'user', '-t', 'http', '-H', header, 'errand', url],
    ]),
  },
  {
    command: 'opencode',
    title: 'opencode',
    setup: (url, token) => ({
      argv: ['opencode', 'mcp', 'add', 'errand', '--url', url, '--header', `Authorization=Bearer ${token}`],
      env: {},
    }),
  },
  {
    command: 'qwen',
    title: 'Qwen Code',
    setup: withHeader((url, header) => ['qwen', 'mcp', 'add', '-t', 'http', '-H', header, 'errand', url]),
  },
  {
    command: 'copilot',
    title: 'Copilot CLI',
    setup: withHeader((url, header) => [
      'copilot',
      ...['mcp', 'add', '--transport', 'http', '--header', header, 'errand', url],
    ]),
  },
  {
    command: 'cline',
    title: 'Cline',
    setup: withHeader((url, header) => [
      'cline',
      ...['mcp', 'add', 'errand', url, '--transport', 'streamableHttp', '--header', header, '--yes'],
    ]),
  },
];

/** What a client that keeps its servers in a file is given for one of them. */
export const serverEntry = (mcp_url: string, token: string) => ({
  type: 'http' as const,
  url: mcp_url,
  headers: { Authorization: `Bearer ${token}` },
});

export const CLIENT_NAMES = CLIENTS.map(({ command }) => command).join(', ');

const PLAIN = /^[\w@%+=:,./-]+$/;

const quote = (word: string): string => (PLAIN.test(word) ? word : JSON.stringify(word));

/** The set-up as lines to paste into a shell. What the client needs in its environment is given to it alone. */
export function setupLines({ argv, env }: Setup): readonly string[] {
  const command = argv.map(quote).join(' ');
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quote(value)}`);
  return variables.length === 0 ? [command] : [command, [...variables, argv[0]].join(' ')];
}
