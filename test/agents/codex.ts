import { join } from 'node:path';
import { type Agent, PROMPT, type Server } from './agent.ts';

const KEY = 'SCRIPTED_MODEL_KEY';
const TOKEN = 'ERRAND_MCP_TOKEN';

// A string, or a list of strings, is the same in TOML and in JSON.
const toml = (value: string | readonly string[]): string => JSON.stringify(value);

const table = (values: Readonly<Record<string, string>>): string =>
  `{ ${Object.entries(values)
    .map(([name, value]) => `${name} = ${toml(value)}`)
    .join(', ')} }`;

const serverLines = (server: Server): readonly string[] =>
  'url' in server
    ? [`url = ${toml(server.url)}`, `bearer_token_env_var = ${toml(TOKEN)}`]
    : [`command = ${toml(server.command)}`, `args = ${toml(server.args)}`, `env = ${table(server.env)}`];

const configuration = (model: string, server: Server): string =>
  [
    'model = "scripted"',
    'model_provider = "scripted"',
    'approval_policy = "never"',
    'sandbox_mode = "read-only"',
    'check_for_update_on_startup = false',
    '[analytics]',
    'enabled = false',
    // Disabled: both read catalogues from the network at every start.
    '[features]',
    'apps = false',
    'plugins = false',
    '[model_providers.scripted]',
    'name = "Scripted"',
    `base_url = ${toml(`${model}/v1`)}`,
    'wire_api = "responses"',
    `env_key = ${toml(KEY)}`,
    '[mcp_servers.errand]',
    ...serverLines(server),
    '',
  ].join('\n');

export const codex: Agent = {
  title: 'Codex CLI',
  package_name: '@openai/codex',
  version: '0.166.0',
  command: 'codex',
  sends: { HTTP: ['client', 'session'], stdio: ['client', 'session'] },
  sessionIn: (stdout) => stdout.match(/"thread_id":"([^"]+)"/)?.[1],
  launch: ({ home, model, server }) => ({
    args: ['exec', '--skip-git-repo-check', '--json', PROMPT],
    env: { CODEX_HOME: join(home, '.codex'), [KEY]: 'none', ...('url' in server ? { [TOKEN]: server.token } : {}) },
    files: { '.codex/config.toml': configuration(model, server) },
  }),
};
