import { readCodex } from './codex-output.ts';
import type { KnownAgent } from './known-agent.ts';

// A string is the same in TOML and in JSON.
const setting = (name: string, value: string): readonly string[] => ['-c', `${name}=${JSON.stringify(value)}`];

export const codex: KnownAgent = {
  name: 'codex',
  title: 'Codex CLI',
  kind: 'command',
  argv: ['codex', 'exec', '--json', '--skip-git-repo-check', ...setting('sandbox_mode', 'workspace-write')],
  package_name: '@openai/codex',
  login: 'run codex login, or set CODEX_API_KEY',
  credentials: {
    variables: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
    files: [{ path: '.codex/config.toml', holds: /^\s*model_provider\s*=/m }],
    status: ['login', 'status'],
  },
  passes: ['CODEX_HOME', 'CODEX_API_KEY', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  variants: {
    plan: { args: setting('sandbox_mode', 'read-only') },
    yolo: { args: ['--dangerously-bypass-approvals-and-sandbox'] },
  },
  conversation: {
    launch: ({ mcp }, resume) => ({
      args: [
        ...setting('mcp_servers.errand.url', mcp.url),
        ...setting('mcp_servers.errand.bearer_token_env_var', 'ERRAND_TOKEN'),
        ...(resume === null ? [] : ['resume', resume]),
        '-',
      ],
      agent_session_id: null,
    }),
    read: readCodex,
    lost_session: /no rollout found|no (?:session|thread|conversation) .*found/i,
  },
};
