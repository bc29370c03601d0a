import { type Agent, bearer, PROMPT, type Server } from './agent.ts';

const entry = (server: Server) =>
  'url' in server
    ? { httpUrl: server.url, headers: bearer(server.token) }
    : { command: server.command, args: server.args, env: server.env };

const settings = (server: Server) => ({
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  mcpServers: { errand: entry(server) },
});

export const geminiCli: Agent = {
  title: 'Gemini CLI',
  package_name: '@google/gemini-cli',
  version: '0.61.0',
  command: 'gemini',
  sends: { HTTP: [], stdio: ['client'] },
  sessionIn: (stdout) => stdout.match(/"session_id": "([^"]+)"/)?.[1],
  launch: ({ model, server }) => ({
    args: ['--prompt', PROMPT, '--output-format', 'json', '--model', 'gemini-2.5-pro', '--approval-mode', 'yolo'],
    env: { GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: 'none', GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    files: { '.gemini/settings.json': JSON.stringify(settings(server)) },
  }),
};
