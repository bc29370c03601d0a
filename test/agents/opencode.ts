import { join } from 'node:path';
import { type Agent, bearer, PROMPT, type Server } from './agent.ts';

const entry = (server: Server) =>
  'url' in server
    ? { type: 'remote', url: server.url, headers: bearer(server.token), oauth: false }
    : { type: 'local', command: [server.command, ...server.args], environment: server.env };

const configuration = (model: string, server: Server) => ({
  autoupdate: false,
  share: 'disabled',
  model: 'scripted/scripted',
  provider: {
    scripted: {
      npm: '@ai-sdk/openai-compatible',
      name: 'Scripted',
      options: { baseURL: `${model}/v1`, apiKey: 'none' },
      models: { scripted: { name: 'Scripted', tool_call: true } },
    },
  },
  mcp: { errand: entry(server) },
});

export const opencode: Agent = {
  title: 'opencode',
  package_name: 'opencode-ai',
  version: '1.18.33',
  command: 'opencode',
  install_script: 'postinstall.mjs',
  sends: { HTTP: ['client'], stdio: ['client'] },
  sessionIn: (stdout) => stdout.match(/"sessionID":"([^"]+)"/)?.[1],
  launch: ({ home, model, server }) => ({
    args: ['run', '--format', 'json', PROMPT],
    env: {
      OPENCODE_CONFIG: join(home, 'opencode.json'),
      OPENCODE_DISABLE_MODELS_FETCH: 'true',
      // Without this it installs a package for plugins at every start, though it has no plugins.
      npm_config_offline: 'true',
    },
    files: { 'opencode.json': JSON.stringify(configuration(model, server)) },
  }),
};
