import { join } from 'node:path';
import { type Agent, bearer, PROMPT, type Server } from './agent.ts';

const entry = (server: Server) =>
  'url' in server
    ? { type: 'http', url: server.url, headers: bearer(server.token) }
    : { type: 'stdio', command: server.command, args: server.args, env: server.env };

export const claudeCode: Agent = {
  title: 'Claude Code',
  package_name: '@anthropic-ai/claude-code',
  version: '2.1.325',
  command: 'claude',
  install_script: 'install.cjs',
  sends: { HTTP: ['client'], stdio: ['client', 'session'] },
  sessionIn: (stdout) => stdout.match(/"session_id":"([^"]+)"/)?.[1],
  launch: ({ home, model, server }) => ({
    args: [
      ...['--print', PROMPT, '--output-format', 'json', '--model', 'claude-sonnet-4-5'],
      ...['--mcp-config', join(home, 'mcp.json'), '--strict-mcp-config', '--allowedTools', 'mcp__errand'],
    ],
    env: {
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'none',
    },
    files: { 'mcp.json': JSON.stringify({ mcpServers: { errand: entry(server) } }) },
  }),
};
