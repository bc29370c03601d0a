import { randomUUID } from 'node:crypto';
import { readClaude } from './claude-output.ts';
import type { KnownAgent } from './known-agent.ts';

/** The token stays in the environment: everyone on the machine can see arguments. */
const mcpConfig = (url: string): string =>
  JSON.stringify({
    mcpServers: { errand: { type: 'http', url, headers: { Authorization: `Bearer \${ERRAND_TOKEN}` } } },
  });

export const claude: KnownAgent = {
  name: 'claude',
  title: 'Claude Code',
  kind: 'command',
  argv: ['claude', '--print', '--output-format', 'stream-json', '--verbose', '--permission-mode', 'acceptEdits'],
  package_name: '@anthropic-ai/claude-code',
  login: 'run claude auth login, or set ANTHROPIC_API_KEY',
  credentials: {
    variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
    files: [],
    status: ['auth', 'status'],
  },
  passes: [
    ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_MODEL'],
    ...['CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC'],
  ],
  env_to_ask: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
  variants: {
    plan: { args: ['--permission-mode', 'plan'] },
    yolo: { args: ['--permission-mode', 'bypassPermissions'] },
  },
  conversation: {
    launch: ({ mcp }, resume) => {
      // Not an id of the port: Claude Code asks for a UUID, and makes version 4 itself.
      const session = resume ?? randomUUID();
      return {
        args: [
          ...['--mcp-config', mcpConfig(mcp.url), '--allowedTools', 'mcp__errand'],
          ...[resume === null ? '--session-id' : '--resume', session],
        ],
        agent_session_id: session,
      };
    },
    read: readClaude,
    lost_session: /No conversation found/i,
  },
};
